import { z } from "zod";
import type { CommandInput, Person } from "../discord/people/person.ts";
import type { ActionResult, ShownModal } from "../discord/state.ts";
import { PEOPLE } from "../world.ts";
import type { ActOutcome, PageSandbox } from "./page-view.ts";

const Id = z.string().regex(/^\d{17,20}$/);
const Text = z.string().max(4_000);
/** The page's id for the direct channel, which has no id of its own before it is opened. */
const DIRECT = "direct";
const Command = {
  channelId: z.union([Id, z.literal(DIRECT)]),
  name: z.string().min(1).max(32),
  subcommand: z.string().min(1).max(32).nullable(),
  options: z.record(z.string(), z.union([z.string().max(6_000), z.number(), z.boolean()])),
};

/** An action of a person in the page. */
export const Act = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), person: Id, ...Command }),
  z.object({ kind: z.literal("autocomplete"), person: Id, focused: z.string(), ...Command }),
  z.object({
    kind: z.literal("menu"),
    person: Id,
    messageId: Id,
    name: z.string().min(1).max(32),
  }),
  z.object({
    kind: z.literal("write"),
    person: Id,
    channelId: Id,
    content: Text.min(1).max(2_000),
  }),
  z.object({ kind: z.literal("click"), person: Id, messageId: Id, customId: Text }),
  z.object({
    kind: z.literal("select"),
    person: Id,
    messageId: Id,
    customId: Text,
    values: z.array(Text).max(25),
  }),
  z.object({
    kind: z.literal("modal"),
    person: Id,
    modalId: z.string(),
    fields: z.record(z.string(), Text),
  }),
  z.object({ kind: z.literal("close_modal"), person: Id, modalId: z.string() }),
  z.object({ kind: z.literal("dismiss"), person: Id, messageId: Id }),
  z.object({ kind: z.literal("locale"), person: Id, locale: z.enum(["pt-BR", "en-US"]) }),
]);
export type Act = z.infer<typeof Act>;

/** `onDismiss` is called after a dismissal, which happens in the page and not in the local Discord. */
export const createActs = ({ discord }: PageSandbox, onDismiss: () => void) => {
  /** Ids of dismissed private messages. */
  const dismissed = new Set<string>();

  const openModal = (act: { person: string; modalId: string }): ShownModal | undefined =>
    discord.visibleTo(act.person).modals.find((modal) => modal.id === act.modalId);

  /** Performs the action in the local Discord; resolves with its result. */
  const perform = async (act: Act): Promise<ActOutcome> => {
    if (!PEOPLE.some(({ id }) => id === act.person)) return { kind: "failed", reason: "nobody" };
    const person = discord.person(act.person);
    switch (act.kind) {
      case "command":
        return outcomeOf(await person.command(commandInput(person, act)));
      case "autocomplete":
        return await suggest(person, act);
      case "menu":
        return outcomeOf(await person.messageCommand(act.messageId, act.name));
      case "write":
        if (!discord.visibleTo(act.person).channels.some(({ id }) => id === act.channelId))
          return { kind: "failed", reason: "unknown_component" };
        person.write(act.channelId, act.content);
        break;
      case "click":
        return outcomeOf(await person.click(act.messageId, act.customId));
      case "select":
        return outcomeOf(await person.select(act.messageId, act.customId, act.values));
      case "modal": {
        const modal = openModal(act);
        if (modal === undefined) return { kind: "failed", reason: "unknown_component" };
        return outcomeOf(await person.submitModal(modal, act.fields));
      }
      case "close_modal": {
        const modal = openModal(act);
        if (modal !== undefined) person.dismissModal(modal);
        break;
      }
      case "dismiss":
        dismissed.add(act.messageId);
        onDismiss();
        break;
      case "locale":
        person.setLocale(act.locale);
        break;
    }
    return { kind: "done" };
  };

  return { perform, dismissed };
};

const commandInput = (
  person: Person,
  act: Pick<CommandInput, "channelId" | "name"> & {
    readonly subcommand: string | null;
    readonly options: NonNullable<CommandInput["options"]>;
  },
): CommandInput => ({
  channelId: act.channelId === DIRECT ? person.openDirectMessages() : act.channelId,
  name: act.name,
  ...(act.subcommand === null ? {} : { subcommand: act.subcommand }),
  options: act.options,
});

const suggest = async (
  person: Person,
  act: Extract<Act, { kind: "autocomplete" }>,
): Promise<ActOutcome> => ({
  kind: "choices",
  choices: await person.autocomplete({ ...commandInput(person, act), focused: act.focused }),
});

const outcomeOf = (shown: ActionResult): ActOutcome =>
  shown.kind === "failed" ? { kind: "failed", reason: shown.reason } : { kind: "done" };
