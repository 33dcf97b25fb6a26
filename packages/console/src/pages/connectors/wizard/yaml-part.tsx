import type { ComponentProps, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../../../ui/page.tsx";
import type YamlView from "./yaml-view.tsx";

/** Loads the script of the YAML view when it is first shown, because it contains a YAML parser. */
export function YamlPart(props: ComponentProps<typeof YamlView>): VNode {
  const [View, setView] = useState<typeof YamlView | undefined>();
  useEffect(() => {
    void import("./yaml-view.tsx").then((module) => setView(() => module.default));
  }, []);
  return View ? <View {...props} /> : <Loading what="the editor" />;
}
