import type { ActionInput, ChosenUser, Invocation } from "#src/discord/command.ts";
import { managesServer } from "#src/domain/report-route.ts";
import { isDiscordId } from "#src/domain/ids.ts";
import { UserError } from "#src/shared/errors.ts";

/** Whose key is being connected: one's own, or a member's by who manages the server. @throws UserError */
export const keyOwner = (
  member: ChosenUser | undefined,
  { userId, memberPermissions }: Invocation,
): string => {
  if (member === undefined || member.id === userId) return userId;
  if (!managesServer(memberPermissions)) throw new UserError({ kind: "manage_server_required" });
  if (member.bot) throw new UserError({ kind: "member_is_bot" });
  return member.id;
};

/** The same for the form that was sent: its id says whose key it asked for. @throws UserError */
export const keyOwnerOf = ({ argument }: ActionInput, invocation: Invocation): string => {
  if (!isDiscordId(argument)) throw new UserError({ kind: "outdated_component" });
  return keyOwner({ id: argument, bot: false }, invocation);
};

/** Lets only the person for whom a button was made use it. @throws UserError not_your_button */
export const ownButton = ({ argument }: ActionInput, { userId }: Invocation): void => {
  if (argument !== userId) throw new UserError({ kind: "not_your_button" });
};
