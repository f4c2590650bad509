/** A form that the bot asks the person to fill in. */
export interface PageModal {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly PageModalField[];
}

export interface PageModalField {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly multiline: boolean;
  readonly required: boolean;
  readonly minLength: number;
  readonly maxLength: number;
}
