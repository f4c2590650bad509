import type { Check } from "./checks.ts";
import { isRecord, lengthOf, list } from "./checks.ts";
import { row, topLevel } from "./component-shapes.ts";
import { byType, COMPONENT } from "./component-types.ts";
import type { BodyPath, Problems } from "./problems.ts";

const MOST_ROWS = 5;
const MOST_COMPONENTS = 40;
const MOST_TEXT = 4_000;

/** Calls `visit` for each component, those inside others included. */
export const walkComponents = (
  components: unknown,
  path: BodyPath,
  visit: (component: Readonly<Record<string, unknown>>, path: BodyPath) => void,
): void => {
  if (!Array.isArray(components)) return;
  for (const [index, component] of components.entries()) {
    if (!isRecord(component)) continue;
    const at = [...path, index];
    visit(component, at);
    walkComponents(component["components"], [...at, "components"], visit);
    for (const name of ["accessory", "component"]) {
      if (component[name]) walkComponents([component[name]], [...at, name], visit);
    }
  }
};

/** No two components of one message or modal carry the same custom id. */
export const uniqueCustomIds: Check = (value, path, problems) => {
  const seen = new Set<unknown>();
  walkComponents(value, path, (component, at) => {
    const id = component["custom_id"];
    if (id === undefined || id === null) return;
    if (seen.has(id)) {
      const message = "Component custom id cannot be duplicated";
      problems.add([...at, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", message);
    }
    seen.add(id);
  });
};

const rows = list(byType(new Map([[COMPONENT.ROW, row]])), 0, MOST_ROWS);
const anything = list(topLevel, 0, MOST_COMPONENTS);

const totals: Check = (value, path, problems) => {
  let count = 0;
  let characters = 0;
  walkComponents(value, path, (component) => {
    count++;
    const { type, content } = component;
    if (type === COMPONENT.TEXT && typeof content === "string") characters += lengthOf(content);
  });
  if (count > MOST_COMPONENTS) {
    const message = `The message holds more than ${MOST_COMPONENTS} components`;
    problems.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message);
  }
  if (characters > MOST_TEXT) {
    const message = `The displayable text is longer than ${MOST_TEXT} characters`;
    problems.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message);
  }
};

/** The components of a message: rows of buttons and selects, or anything when it uses components v2. */
export const checkComponents = (
  value: unknown,
  usesV2: boolean,
  path: BodyPath,
  problems: Problems,
): void => {
  (usesV2 ? anything : rows)(value, path, problems);
  uniqueCustomIds(value, path, problems);
  if (usesV2) totals(value, path, problems);
};
