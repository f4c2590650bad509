import type { Check } from "./checks.ts";
import { among, both, flag, integer, isRecord, link, list, shape, text } from "./checks.ts";
import { button } from "./button.ts";
import { byType, COMPONENT } from "./component-types.ts";
import { entitySelect, stringSelect } from "./selects.ts";

const widthRule: Check = (value, path, problems) => {
  if (!isRecord(value) || !Array.isArray(value["components"])) return;
  const inside = value["components"] as readonly unknown[];
  const hasSelect = inside.some((entry) => isRecord(entry) && entry["type"] !== COMPONENT.BUTTON);
  if (!hasSelect || inside.length === 1) return;
  const message = "The specified component exceeds the maximum width";
  problems.add([...path, "components"], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
};

const inRow = new Map<number, Check>([
  [COMPONENT.BUTTON, button],
  [COMPONENT.STRING_SELECT, stringSelect],
  [COMPONENT.USER_SELECT, entitySelect],
  [COMPONENT.ROLE_SELECT, entitySelect],
  [COMPONENT.MENTIONABLE_SELECT, entitySelect],
  [COMPONENT.CHANNEL_SELECT, entitySelect],
]);

/** A row of a message: up to 5 buttons, or exactly one select. */
export const row = both(
  shape({ components: list(byType(inRow), 1, 5) }, ["components"]),
  widthRule,
);

const mediaItem = shape({ url: link(["http", "https", "attachment"]) }, ["url"]);
const textDisplay = shape({ content: text(1, 4_000) }, ["content"]);
const thumbnail = shape({ media: mediaItem, description: text(0, 1_024), spoiler: flag }, [
  "media",
]);

const section = shape(
  {
    components: list(byType(new Map([[COMPONENT.TEXT, textDisplay]])), 1, 3),
    accessory: byType(
      new Map<number, Check>([
        [COMPONENT.BUTTON, button],
        [COMPONENT.THUMBNAIL, thumbnail],
      ]),
    ),
  },
  ["components", "accessory"],
);

const blocks: readonly (readonly [number, Check])[] = [
  [COMPONENT.ROW, row],
  [COMPONENT.SECTION, section],
  [COMPONENT.TEXT, textDisplay],
  [
    COMPONENT.GALLERY,
    shape({ items: list(shape({ media: mediaItem }, ["media"]), 1, 10) }, ["items"]),
  ],
  [COMPONENT.FILE, shape({ file: mediaItem, spoiler: flag }, ["file"])],
  [COMPONENT.SEPARATOR, shape({ divider: flag, spacing: among([1, 2]) })],
];

const container = shape(
  {
    components: list(byType(new Map(blocks)), 1, 40),
    accent_color: integer(0, 0xffffff),
    spoiler: flag,
  },
  ["components"],
);

/** What may stand at the top of a message that uses components v2. */
export const topLevel = byType(new Map([...blocks, [COMPONENT.CONTAINER, container] as const]));
