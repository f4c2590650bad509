import { storeFiles } from "./attachments.ts";
import { addMessage } from "./messages.ts";
import type { StoredMessage } from "./shown.ts";
import type { DiscordState, PersonState } from "./state.ts";

/** A file that somebody attaches. */
export interface PersonFile {
  readonly name: string;
  readonly type: string;
  readonly data: Buffer;
}

/** Somebody writes a message, which everybody in the channel sees. @throws RangeError when there is no such channel. */
export const writeMessage = (
  state: DiscordState,
  { person }: PersonState,
  channelId: string,
  content: string,
  files: readonly PersonFile[] = [],
): StoredMessage => {
  const channel = state.channels.get(channelId);
  if (channel === undefined) throw new RangeError(`No channel has the id ${channelId}`);
  const uploaded = files.map((file, index) => ({ ...file, field: `files[${index}]`, index }));
  const message: StoredMessage = {
    id: state.newId(),
    channelId,
    authorId: person.id,
    content,
    embeds: [],
    components: [],
    attachments: storeFiles(state, channelId, uploaded),
    flags: 0,
    nonce: undefined,
    createdAt: state.clock.now(),
    editedAt: undefined,
    privateTo: undefined,
    thinking: false,
    answers: undefined,
    mentionedUserIds: [],
    mentionedRoleIds: [],
    mentionsEveryone: false,
  };
  addMessage(state, message);
  return message;
};
