import type { ComponentProps, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../../../ui/page.tsx";
import type YamlView from "./yaml-view.tsx";

/** The YAML view. Its script is loaded when it is first shown: it has a reader of YAML. */
export function YamlPart(props: ComponentProps<typeof YamlView>): VNode {
  const [View, setView] = useState<typeof YamlView | undefined>();
  useEffect(() => {
    void import("./yaml-view.tsx").then((module) => setView(() => module.default));
  }, []);
  return View ? <View {...props} /> : <Loading what="the editor" />;
}
