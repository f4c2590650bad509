import { isDiscordId } from "../domain/ids.ts";
import { UserError } from "../shared/errors.ts";
import type { Answer, OptionReader } from "./command-kit.ts";
import { fitsCustomId } from "./custom-id.ts";
import type { Deed } from "./interaction.ts";

/*
 * In a direct message a person with several wallet accounts chooses the server whose account is meant. The menu's custom
 * id carries what was asked for, and components of the answer carry the chosen server, so that both work after a restart:
 *   ?/vendas\ndata=ontem    ?meds:ver:…    118…/vendas:dia:19/11/2026
 */
const ASKED = "?";
const COMMAND = "/";
const BREAK = "\n";
const IN_SERVER = /^(\d{17,20})\/([^]*)$/;

type Asked = Extract<Deed, { kind: "action" | "command" }>;

/** Custom id of the menu under which this is run once a server is chosen; undefined where it does not fit into one. */
export const askAgainId = (deed: Asked, optionNames: readonly string[]): string | undefined => {
  const lines: string[] = [];
  if (deed.kind === "command") {
    lines.push(`${COMMAND}${`${deed.name} ${deed.subcommand}`.trim()}`);
    for (const name of optionNames) {
      const value = deed.options.string(name);
      if (value !== undefined) lines.push(`${name}=${value}`);
    }
  } else {
    const { values, fields } = deed.input;
    if (fields.size > 0 || values.length > 1) return undefined;
    lines.push(deed.customId, ...values);
  }
  const id = ASKED + lines.join(BREAK);
  return fitsCustomId(id) ? id : undefined;
};

const typedOptions = (lines: readonly string[]): OptionReader => {
  const given = new Map(lines.map((each) => [each.split("=")[0], each.replace(/^[^=]*=/, "")]));
  const none = () => undefined;
  return {
    string: (name) => given.get(name),
    boolean: none,
    user: none,
    channel: none,
    role: none,
  };
};

/** What a component of such a message stands for, and the chosen server; undefined for any other component. */
export const chosenDeed = (
  deed: Extract<Deed, { kind: "action" }>,
): { readonly deed: Asked; readonly guildId: string; readonly fromMenu: boolean } | undefined => {
  const [, guildId, customId] = IN_SERVER.exec(deed.customId) ?? [];
  if (guildId !== undefined && customId !== undefined)
    return { deed: { ...deed, customId }, guildId, fromMenu: false };
  const [chosen] = deed.input.values;
  if (!deed.customId.startsWith(ASKED) || chosen === undefined || !isDiscordId(chosen))
    return undefined;
  const [asked = "", ...rest] = deed.customId.slice(ASKED.length).split(BREAK);
  const place = { guildId: chosen, fromMenu: true };
  if (!asked.startsWith(COMMAND))
    return { ...place, deed: { ...deed, customId: asked, input: { ...deed.input, values: rest } } };
  const [name = "", ...subcommand] = asked.slice(COMMAND.length).split(" ");
  const options = typedOptions(rest);
  return { ...place, deed: { kind: "command", name, subcommand: subcommand.join(" "), options } };
};

/** The answer, whose buttons, menus and forms go on with the account of that server. */
export const inServer = (answer: Answer, guildId: string): Answer => {
  const mark = (id: string): string => {
    const marked = `${guildId}/${id}`;
    return fitsCustomId(marked) ? marked : id;
  };
  if (answer.kind === "modal") return { ...answer, customId: mark(answer.customId) };
  const { components } = answer;
  if (components === undefined) return answer;
  return {
    ...answer,
    components: components.map((row) => ({
      ...row,
      components: row.components.map((each) =>
        "custom_id" in each ? { ...each, custom_id: mark(each.custom_id) } : each,
      ),
    })),
  };
};

/** Runs what may not know which account is meant; the person is then asked, and `again` is what their choice runs. */
export const askingWhich = async (
  again: (() => string | undefined) | undefined,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError) || error.reason.kind !== "several_accounts") throw error;
    throw new UserError({ ...error.reason, again: again?.() });
  }
};
