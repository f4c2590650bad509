import type {
  APIActionRowComponent,
  APIButtonComponent,
  APIComponentInMessageActionRow,
  APIStringSelectComponent,
} from "discord-api-types/v10";
import { buttonStyle, componentType, linkStyle } from "../shared/discord-enums.ts";
import { cut, limits } from "./limits.ts";

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface ButtonParts {
  /** See `discord/custom-id.ts`. */
  readonly id: string;
  readonly label: string;
  readonly style: keyof typeof buttonStyle;
}

/** Opens a page in the reader's browser. */
export interface LinkParts {
  readonly url: string;
  readonly label: string;
}

export interface SelectParts {
  /** See `discord/custom-id.ts`. */
  readonly id: string;
  readonly placeholder: string;
  /** Any number of them may be chosen; otherwise exactly one. */
  readonly severalOrNone?: true;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly chosen: boolean;
  }[];
}

const button = ({ id, label, style }: ButtonParts): APIButtonComponent => ({
  type: componentType.button,
  style: buttonStyle[style],
  custom_id: id,
  label: cut(label, limits.buttonLabel),
});

/** A row of up to five buttons. */
export const buttonRow = (...buttons: readonly ButtonParts[]): Row => ({
  type: componentType.row,
  components: buttons.slice(0, limits.buttonsPerRow).map(button),
});

/** A row of one link. */
export const linkRow = ({ url, label }: LinkParts): Row => ({
  type: componentType.row,
  components: [
    {
      type: componentType.button,
      style: linkStyle,
      url,
      label: cut(label, limits.buttonLabel),
    },
  ],
});

/** A row with a menu from which something is chosen. */
export const selectRow = ({ id, placeholder, severalOrNone, options }: SelectParts): Row => {
  const most = Math.min(options.length, limits.selectOptions);
  const select: APIStringSelectComponent = {
    type: componentType.select,
    custom_id: id,
    placeholder: cut(placeholder, limits.placeholder),
    ...(severalOrNone === true && { min_values: 0, max_values: most }),
    options: options.slice(0, limits.selectOptions).map(({ value, label, chosen }) => ({
      value,
      label: cut(label, limits.optionText),
      default: chosen,
    })),
  };
  return { type: componentType.row, components: [select] };
};
