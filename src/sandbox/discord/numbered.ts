import type { APIMessageTopLevelComponent } from "discord-api-types/v10";
import { walkComponents } from "./limits/components.ts";

/** Components with the ids that Discord gives to those without one: 1, 2, 3 … in the order in which they are read. */
export const numbered = (
  components: readonly APIMessageTopLevelComponent[],
): readonly APIMessageTopLevelComponent[] => {
  if (components.length === 0) return components;
  const copies = structuredClone(components);
  const taken = new Set<unknown>();
  walkComponents(copies, [], ({ id }) => taken.add(id));
  let last = 0;
  walkComponents(copies, [], (component) => {
    if (component["id"]) return;
    do last++;
    while (taken.has(last));
    (component as { id?: number }).id = last;
  });
  return copies;
};
