import { long, many, testRefused, testTaken } from "./post-bodies.ts";

const button = (more: object = {}): object => ({
  type: 2,
  style: 1,
  custom_id: "b",
  label: "Ok",
  ...more,
});
const select = (more: object = {}): object => ({
  type: 3,
  custom_id: "s",
  options: [{ label: "Um", value: "1" }],
  ...more,
});
const row = (...components: object[]): object => ({ type: 1, components });
const withRow = (...components: object[]): object => ({ components: [row(...components)] });

testRefused([
  [
    "6 rows",
    { components: many(6, (n) => row(button({ custom_id: String(n) }))) },
    "components",
    "BASE_TYPE_MAX_LENGTH",
  ],
  ["a button outside a row", { components: [button()] }, "components.0.type", "UNION_TYPE_CHOICES"],
  [
    "6 buttons in a row",
    withRow(...many(6, (n) => button({ custom_id: String(n) }))),
    "components.0.components",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "select beside a button",
    withRow(select(), button()),
    "components.0.components",
    "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
  ],
  [
    "custom id twice",
    { components: [row(button()), row(button())] },
    "components.1.components.0.custom_id",
    "COMPONENT_CUSTOM_ID_DUPLICATED",
  ],
  [
    "custom id over 100",
    withRow(button({ custom_id: long(101) })),
    "components.0.components.0.custom_id",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "label over 80",
    withRow(button({ label: long(81) })),
    "components.0.components.0.label",
    "BASE_TYPE_MAX_LENGTH",
  ],
  [
    "button without label",
    withRow(button({ label: "" })),
    "components.0.components.0.label",
    "BUTTON_COMPONENT_INVALID",
  ],
  [
    "link without address",
    withRow(button({ style: 5, custom_id: null })),
    "components.0.components.0.url",
    "BUTTON_COMPONENT_INVALID",
  ],
  [
    "26 options",
    withRow(select({ options: many(26, (n) => ({ label: "o", value: String(n) })) })),
    "components.0.components.0.options",
    "BASE_TYPE_BAD_LENGTH",
  ],
  [
    "option value twice",
    withRow(select({ options: many(2, () => ({ label: "o", value: "1" })) })),
    "components.0.components.0.options.1.value",
    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
  ],
  [
    "more choices than options",
    withRow(select({ max_values: 2 })),
    "components.0.components.0.max_values",
    "NUMBER_TYPE_MAX",
  ],
  [
    "content beside components v2",
    { flags: 32_768, content: "x", components: [{ type: 10, content: "oi" }] },
    "content",
    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
  ],
]);

testTaken([
  [
    "5 rows of 5 buttons",
    {
      components: many(5, (r) => row(...many(5, (n) => button({ custom_id: `${r}.${n}` })))),
    },
  ],
  [
    "25 options",
    withRow(
      select({ options: many(25, (n) => ({ label: "o", value: String(n) })), max_values: 25 }),
    ),
  ],
  ["a button with only an emoji", withRow(button({ label: null, emoji: { name: "🔁" } }))],
  [
    "components v2",
    { flags: 32_768, components: [{ type: 17, components: [{ type: 10, content: "oi" }] }] },
  ],
]);
