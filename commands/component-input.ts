import { accountTexts } from "#src/accounts/texts.ts";
import type { ActionInput, Invocation } from "#src/discord/command.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { isQuestionId, isWireId, MOST_OPTIONS } from "#src/shared/ids.ts";
import type { ChannelPermission } from "#src/shared/permissions.ts";
import { Secret } from "#src/shared/secret.ts";
import { keyEnd } from "#src/ui/format.ts";
import type { Reply } from "#src/ui/reply.ts";

/** Refuses a component that this version of the command never makes. @throws UserError outdated_component */
export const outdated = (): never => {
  throw new UserError({ kind: "outdated_component" });
};

/** An identifier of the service, or an operation's code. @throws UserError outdated_component */
export const wireIdOf = (id: string | undefined): string =>
  id !== undefined && isWireId(id) ? id : outdated();

/** The identifier that a menu chose. @throws UserError outdated_component */
export const chosenId = ({ values: [id] }: ActionInput): string => wireIdOf(id);

/** Reads which of `values` a menu chose. @throws UserError outdated_component */
export const chosenOf =
  <Value extends string>(values: readonly Value[]) =>
  ({ values: [chosen] }: Pick<ActionInput, "values">): Value =>
    values.find((each) => each === chosen) ?? outdated();

/**
 * Which of `all` are chosen once a menu of several was used. Those that it leaves as it showed them keep their present
 * state: another admin may have changed them since. The menu of an older version names none, and sets all.
 * @throws UserError outdated_component
 */
export const choiceIn = <Value extends string>(
  all: readonly Value[],
  { argument, values }: Pick<ActionInput, "argument" | "values">,
): ((value: Value, isOn: boolean) => boolean) => {
  if (!values.every((chosen) => all.some((each) => each === chosen))) return outdated();
  const [, ...shown] = argument.split(".");
  const isNamed = argument.includes(".");
  return (value, isOn) => {
    const isChosen = values.includes(value);
    return isNamed && shown.includes(value) === isChosen ? isOn : isChosen;
  };
};

/** A person or a server, and the id of the answered question. @throws UserError outdated_component */
export const answeredQuestion = ({ argument }: ActionInput) => {
  const [about = "", questionId = ""] = argument.split(".");
  return isQuestionId(questionId) ? { about, questionId } : outdated();
};

/** Reads the input of a handler only after `check`, which throws for whom it refuses. */
export const after =
  <Source, Input>(
    check: (source: NoInfer<Source>, invocation: Invocation) => void,
    read: (source: Source, invocation: Invocation) => Input,
  ) =>
  (source: Source, invocation: Invocation): Input => {
    check(source, invocation);
    return read(source, invocation);
  };

/** Lets only the person for whom a button or menu was made use it. @throws UserError not_your_button */
export const ownButton = ({ argument }: ActionInput, { userId }: Invocation): void => {
  if (argument.split(".", 1)[0] !== userId) throw new UserError({ kind: "not_your_button" });
};

/** @throws UserError missing_channel_permissions */
export const requirePermissions = (
  channelId: string,
  held: bigint | undefined,
  missingIn: (held: bigint) => readonly ChannelPermission[],
): void => {
  const missing = held === undefined ? [] : missingIn(held);
  if (missing.length > 0)
    throw new UserError({ kind: "missing_channel_permissions", channelId, missing });
};

/** A secret typed into a form, without the blank that a phone's keyboard adds; undefined for an empty field. */
export const typedSecret = (
  { fields }: Pick<ActionInput, "fields">,
  field: string,
): Secret | undefined => {
  const typed = (fields.get(field) ?? "").trim();
  return typed === "" ? undefined : new Secret(typed);
};

/**
 * The person who types, in the place of an account: in a direct message that of their connection.
 * @throws UserError nothing_connected, several_accounts: a list of suggestions has no place for a question
 */
export const typedBy = async (
  invocation: Invocation,
  { accounts }: Pick<Services, "accounts">,
): Promise<Invocation> =>
  invocation.guildId === DIRECT_MESSAGE
    ? { ...invocation, guildId: await accounts.guildOf(invocation.userId) }
    : invocation;

/**
 * Answers a button under a post that may be a direct report of an account that was disconnected since: in a direct
 * message the answer names the keys of the account that it is of. A chosen key is named above an answer without text.
 */
export const namingKeys =
  <Input>(run: (input: Input, invocation: Invocation, services: Services) => Promise<Reply>) =>
  async (input: Input, invocation: Invocation, services: Services): Promise<Reply> => {
    const { guildId, userId, locale, fromDirectMessage, chosenGuildId } = invocation;
    if (fromDirectMessage !== true) return await run(input, invocation, services);
    const owned = await services.accounts.accountsOf(userId);
    const here = owned.find((each) => each.guildId === guildId);
    const same = owned.filter(({ watchId }) => watchId === here?.watchId);
    const ends = [...new Set(same.map(({ keyLast4 }) => keyEnd(keyLast4)))].slice(0, MOST_OPTIONS);
    const shown = await run(input, invocation, services);
    if (chosenGuildId !== undefined && shown.content === undefined) return shown;
    const told = [accountTexts(locale).people.answeringKeys(ends), shown.content];
    return { ...shown, content: told.filter((each) => each !== undefined).join("\n") };
  };
