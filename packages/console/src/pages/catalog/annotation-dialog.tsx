import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { type Annotation, parseTags, tagsText } from "./metadata-draft.ts";

interface AnnotationDialogProps {
  readonly title: string;
  readonly value: Annotation;
  readonly onSave: (value: Annotation) => void;
  readonly onClose: () => void;
}

/** The description and tags of a table or column. They change only after the review. */
export function AnnotationDialog({ title, value, onSave, onClose }: AnnotationDialogProps): VNode {
  const [description, setDescription] = useState(value.description);
  const [tags, setTags] = useState(tagsText(value.tags));
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            onClick={() => {
              onSave({ description: description.trim(), tags: parseTags(tags) });
              onClose();
            }}
          >
            Add to the change
          </Button>
        </>
      }
    >
      <Field label="Description" value={description} onInput={setDescription} type="textarea" />
      <Field
        label="Tags"
        value={tags}
        onInput={setTags}
        type="textarea"
        hint="One in each line: name=value, or the name alone."
      />
    </Dialog>
  );
}
