import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import type {
  APIButtonComponent,
  APIMessageTopLevelComponent,
  APISelectMenuComponent,
} from "discord-api-types/v10";
import type { PageButton, PageChoice, PageSelect } from "./page-view.ts";

const STYLES: Readonly<Partial<Record<ButtonStyle, PageButton["style"]>>> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
};

/** What a select of people or channels offers. */
export interface Choosable {
  readonly people: readonly PageChoice[];
  readonly channels: readonly PageChoice[];
}

/** Rows of buttons and selects as the page draws them; other components are not shown. */
export const pageControls = (
  components: readonly APIMessageTopLevelComponent[],
  choosable: Choosable,
): readonly (readonly (PageButton | PageSelect)[])[] =>
  components.flatMap((row) => {
    if (row.type !== ComponentType.ActionRow) return [];
    return [
      row.components.map((component) =>
        component.type === ComponentType.Button
          ? pageButton(component)
          : pageSelect(component, choosable),
      ),
    ];
  });

const pageButton = (button: APIButtonComponent): PageButton => {
  const emoji = "emoji" in button ? button.emoji?.name : undefined;
  const label = "label" in button ? button.label : undefined;
  return {
    kind: "button",
    customId: "custom_id" in button ? button.custom_id : "",
    url: "url" in button ? button.url : null,
    label: [emoji, label].filter((part) => part !== undefined).join(" "),
    style: STYLES[button.style] ?? "secondary",
    disabled: button.disabled === true,
  };
};

const pageSelect = (select: APISelectMenuComponent, choosable: Choosable): PageSelect => ({
  kind: "select",
  customId: select.custom_id,
  placeholder: select.placeholder ?? null,
  several: (select.max_values ?? 1) > 1,
  disabled: select.disabled === true,
  choices: choicesOf(select, choosable),
  chosen:
    select.type === ComponentType.StringSelect
      ? select.options.filter((option) => option.default === true).map(({ value }) => value)
      : (select.default_values ?? []).map(({ id }) => id),
});

const choicesOf = (select: APISelectMenuComponent, choosable: Choosable): readonly PageChoice[] => {
  if (select.type === ComponentType.StringSelect) {
    return select.options.map(({ emoji, label, description, value }) => ({
      name: [emoji?.name, label, description === undefined ? undefined : `· ${description}`]
        .filter((part) => part !== undefined)
        .join(" "),
      value,
    }));
  }
  return select.type === ComponentType.ChannelSelect ? choosable.channels : choosable.people;
};
