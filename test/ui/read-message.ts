import type { DeliveryPayload } from "#src/delivery/delivery.ts";

const NO_BREAK_SPACE = /\u00a0/g;

/** All text of a message with one embed, one line per part, its timestamp last, with plain spaces. */
export const readMessage = (message: unknown): string[] => {
  const [embed] = (message as DeliveryPayload | undefined)?.embeds ?? [];
  const lines = [
    embed?.title,
    embed?.description,
    ...(embed?.fields ?? []).map(({ name, value }) => `${name}: ${value}`),
    embed?.footer?.text,
    embed?.timestamp,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : [line.replace(NO_BREAK_SPACE, " ")]));
};

export const textOf = (message: unknown): string => readMessage(message).join("\n");
export const titleOf = (message: unknown): string | undefined => readMessage(message)[0];

/** Labels of the buttons under a message, with plain spaces. */
export const labelsOf = ({ components = [] }: DeliveryPayload): string[] =>
  components.flatMap(({ components: pieces }) =>
    pieces.flatMap((piece) =>
      "label" in piece && piece.label !== undefined
        ? [piece.label.replace(NO_BREAK_SPACE, " ")]
        : [],
    ),
  );

export const menusOf = ({ components = [] }: DeliveryPayload) =>
  components.flatMap(({ components: pieces }) =>
    pieces.flatMap((piece) => ("options" in piece ? [piece] : [])),
  );

/** Custom ids of the buttons under a message, by label. */
export const buttonsOf = ({ components = [] }: DeliveryPayload): Readonly<Record<string, string>> =>
  Object.fromEntries(
    components.flatMap(({ components: pieces }) =>
      pieces.flatMap((piece) =>
        "label" in piece && "custom_id" in piece ? [[piece.label ?? "", piece.custom_id]] : [],
      ),
    ),
  );
