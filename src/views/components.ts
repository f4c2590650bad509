import type {
  APIActionRowComponent,
  APIButtonComponent,
  APIComponentInMessageActionRow,
  APIStringSelectComponent,
} from "discord-api-types/v10";
import { cut, limits } from "./limits.ts";

const ROW = 1;
const BUTTON = 2;
const SELECT = 3;
const STYLES = { primary: 1, secondary: 2, success: 3, danger: 4 } as const;

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface ButtonParts {
  /** See `discord/custom-id.ts`. */
  readonly id: string;
  readonly label: string;
  readonly style: keyof typeof STYLES;
}

export interface SelectParts {
  /** See `discord/custom-id.ts`. */
  readonly id: string;
  readonly placeholder: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly chosen: boolean;
  }[];
}

const button = ({ id, label, style }: ButtonParts): APIButtonComponent => ({
  type: BUTTON,
  style: STYLES[style],
  custom_id: id,
  label: cut(label, limits.buttonLabel),
});

/** A row of up to five buttons. */
export const buttonRow = (...buttons: readonly ButtonParts[]): Row => ({
  type: ROW,
  components: buttons.slice(0, limits.buttonsPerRow).map(button),
});

/** A row with a menu from which one thing is chosen. */
export const selectRow = ({ id, placeholder, options }: SelectParts): Row => {
  const select: APIStringSelectComponent = {
    type: SELECT,
    custom_id: id,
    placeholder: cut(placeholder, limits.placeholder),
    options: options.slice(0, limits.selectOptions).map(({ value, label, chosen }) => ({
      value,
      label: cut(label, limits.optionText),
      default: chosen,
    })),
  };
  return { type: ROW, components: [select] };
};
