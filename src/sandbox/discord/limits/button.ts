import type { Check } from "./checks.ts";
import { among, both, flag, isRecord, link, shape, snowflake, text } from "./checks.ts";
import { BUTTON_STYLE, customId, emoji } from "./component-types.ts";

const buttonRules: Check = (value, path, problems) => {
  if (!isRecord(value)) return;
  const { style, custom_id: id, url, label, emoji: picture, sku_id: sku } = value;
  const refuse = (field: string, message: string): void =>
    problems.add([...path, field], "BUTTON_COMPONENT_INVALID", message);
  if (style === BUTTON_STYLE.LINK) {
    if (!url) refuse("url", "A url is required");
    if (id) refuse("custom_id", "A custom id and url cannot both be specified");
  } else if (style === BUTTON_STYLE.PREMIUM) {
    if (!sku) refuse("sku_id", "A sku id is required");
    return;
  } else {
    if (!id) refuse("custom_id", "A custom id is required");
    if (url) refuse("url", "A custom id and url cannot both be specified");
  }
  if (!label && !picture) refuse("label", "A label or an emoji is required");
};

/** A button: what it does (custom id, link or product) decides what else it carries. */
export const button = both(
  shape(
    {
      style: among([1, 2, 3, 4, 5, 6]),
      custom_id: customId,
      label: text(0, 80),
      url: link(["http", "https", "discord"], 512),
      sku_id: snowflake,
      emoji,
      disabled: flag,
    },
    ["style"],
  ),
  buttonRules,
);
