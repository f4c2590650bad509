import {
  type Action,
  action,
  type ActionInput,
  type HandlerParts,
  type Invocation,
} from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { isDiscordId } from "#src/domain/ids.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import {
  connectionsView,
  disconnectedFromView,
  disconnectFromQuestion,
  reportConsentView,
} from "#src/views/connections.ts";
import { limits } from "#src/views/embed.ts";
import type { Reply } from "#src/views/reply.ts";

const CHOOSE = customId("conta", "qual");

export const isDirect = ({ guildId }: Invocation): boolean => guildId === DIRECT_MESSAGE;

/** All connections of the person, whatever server they are in. @throws UserError nothing_connected */
export const connectionsReply = async (
  { userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  const all = await accounts.ofOwner(userId);
  if (all.length === 0) throw new UserError({ kind: "nothing_connected" });
  const more = Math.max(0, all.length - limits.selectOptions);
  return connectionsView(all, more, CHOOSE, locale);
};

/** Whether to delete the person's key of that server. @throws UserError not_connected */
const questionAbout = async (
  guildId: string,
  { userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  const account = await accounts.find(guildId, userId);
  if (account === undefined) throw new UserError({ kind: "nothing_connected" });
  const unfinished = await accounts.unfinished(account, userId);
  const ids = {
    disconnect: customId("conta", unfinished ? "largar-de" : "apagar-de", guildId),
    stop: customId("conta", "parar-em", guildId),
    keep: customId("conta", "todas"),
  };
  const losses = await accounts.losses(account);
  const guildName = await accounts.guildName(guildId);
  return disconnectFromQuestion({ account, unfinished, losses, locale }, guildName, ids);
};

/** `/conta desconectar` in a direct message: of one connection it asks whether, of several which. */
export const disconnectDirectReply = async (
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const [first, second] = await services.accounts.ofOwner(invocation.userId);
  return first !== undefined && second === undefined
    ? await questionAbout(first.account.guildId, invocation, services)
    : await connectionsReply(invocation, services);
};

/**
 * The server that a button or a menu is about. Nobody else's connection can be meant: only the person's own is looked
 * for there. @throws UserError outdated_component
 */
const serverOf = ({ values: [chosen], argument }: ActionInput): string => {
  const guildId = chosen ?? argument;
  if (!isDiscordId(guildId)) throw new UserError({ kind: "outdated_component" });
  return guildId;
};

const directAction = (
  parts: Pick<HandlerParts<ActionInput, string>, "kind" | "run"> & Pick<Action, "answers">,
): Action => action({ ...parts, parse: serverOf, inDirectMessages: true });

/** `knowing`: what the question under which the button stands said is still under way. */
const disconnectingFrom = (knowing: "nothing" | "unfinished"): Action =>
  directAction({
    kind: "write",
    answers: "update",
    run: async (guildId, { userId, locale }, { accounts }) => {
      const guildName = await accounts.guildName(guildId);
      if (!(await accounts.disconnect(guildId, userId, knowing)))
        throw new UserError({ kind: "nothing_connected" });
      return disconnectedFromView(guildId, guildName, locale);
    },
  });

const changingConsentIn = (consent: boolean): Action =>
  directAction({
    kind: "write",
    answers: "update",
    run: async (guildId, { userId, locale }, { accounts }) => {
      await accounts.setReportConsent(guildId, userId, consent);
      return reportConsentView(consent, guildId, await accounts.guildName(guildId), locale);
    },
  });

/** Buttons and menus about one of a person's connections, from outside of its server. */
export const directChoices = {
  qual: directAction({ kind: "read", answers: "new", run: questionAbout }),
  todas: action({
    kind: "read",
    answers: "update",
    inDirectMessages: true,
    parse: () => undefined,
    run: (_, invocation, services) => connectionsReply(invocation, services),
  }),
  "apagar-de": disconnectingFrom("nothing"),
  "largar-de": disconnectingFrom("unfinished"),
  "postar-em": changingConsentIn(true),
  "parar-em": changingConsentIn(false),
} as const;
