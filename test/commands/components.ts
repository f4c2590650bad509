import type { ChosenChannel } from "#src/discord/command.ts";
import type { Reply } from "#src/ui/reply.ts";
import { CHANNEL } from "../support/guild.ts";

/** All that the bot needs in a channel for reports. */
export const MAY_POST = 84_992n;

/** The option `canal` of the parts of `/config`. */
export const canal = (id = CHANNEL, appPermissions = MAY_POST) => ({
  channel: { canal: { id, type: 0, appPermissions } satisfies ChosenChannel },
});

interface Part {
  readonly id: string;
  readonly label: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Buttons and menus under an answer, in order. */
export const partsOf = (answer: unknown): readonly Part[] =>
  ((answer as Reply).components ?? [])
    .flatMap(({ components }) => components)
    .flatMap((piece) =>
      "custom_id" in piece
        ? [
            {
              id: piece.custom_id,
              label: "label" in piece ? piece.label : undefined,
              options: "options" in piece ? piece.options : [],
            },
          ]
        : [],
    );

/** Id of the button with that label, or of the first menu. @throws when there is none. */
export const idOf = (answer: unknown, label?: string): string => {
  const found = partsOf(answer).find((part) => part.label === label);
  if (found === undefined) throw new Error(`No part ${label ?? "menu"}`);
  return found.id;
};

/** Id of the control that stands in a later answer where the button with that label stood. */
export const samePlace = (before: unknown, label: string, after: unknown): string | undefined => {
  const id = idOf(before, label);
  const [was = [], is = []] = [before, after].map((answer) =>
    ((answer as Reply).components ?? []).map((row) => partsOf({ components: [row] })),
  );
  const row = was.findIndex((parts) => parts.some((part) => part.id === id));
  return is[row]?.[was[row]?.findIndex((part) => part.id === id) ?? -1]?.id;
};

/** Values and labels of a menu, the first unless told otherwise; none when it is not there. */
export const menuIn = (answer: unknown, prefix = ""): readonly (readonly [string, string])[] =>
  partsOf(answer)
    .find(({ id, options }) => options.length > 0 && id.startsWith(prefix))
    ?.options.map(({ value, label }) => [value, label] as const) ?? [];
