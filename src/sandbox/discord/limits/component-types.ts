import type { Check } from "./checks.ts";
import { flag, isRecord, shape, snowflake, text } from "./checks.ts";

/** Component types. Source: Discord's reference, "Component Reference". */
export const COMPONENT = {
  ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT: 10,
  THUMBNAIL: 11,
  GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
  LABEL: 18,
} as const;

export const BUTTON_STYLE = { LINK: 5, PREMIUM: 6 } as const;

export const customId = text(1, 100);

export const emoji = shape({ id: snowflake, name: text(0, 32), animated: flag });

/** Checks a component by its type, which must be one of the table's. */
export const byType =
  (table: ReadonlyMap<number, Check>): Check =>
  (value, path, problems) => {
    const check = isRecord(value) ? table.get(value["type"] as number) : undefined;
    if (check !== undefined) {
      check(value, path, problems);
      return;
    }
    const message = `Value of field "type" must be one of (${[...table.keys()].join(", ")}).`;
    problems.add([...path, "type"], "UNION_TYPE_CHOICES", message);
  };
