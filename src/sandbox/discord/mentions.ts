import type { MessageBody } from "./message-body.ts";

export interface Mentions {
  readonly mentionedUserIds: readonly string[];
  readonly mentionedRoleIds: readonly string[];
  readonly mentionsEveryone: boolean;
}

const idsIn = (content: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(content.matchAll(pattern), (match) => match[1] ?? "")),
];

/** Whom the content of a message notifies, once `allowed_mentions` has had its say. Embeds notify nobody. */
export const mentionsOf = ({ content, allowed_mentions: allowed }: MessageBody): Mentions => {
  const said = content ?? "";
  const may = (kind: string, ids: readonly string[] | undefined) => (id: string) =>
    !allowed ||
    (allowed.parse as readonly string[] | undefined)?.includes(kind) ||
    ids?.includes(id);
  return {
    mentionedUserIds: idsIn(said, /<@!?(\d+)>/g).filter(may("users", allowed?.users)),
    mentionedRoleIds: idsIn(said, /<@&(\d+)>/g).filter(may("roles", allowed?.roles)),
    mentionsEveryone: /@(everyone|here)/.test(said) && may("everyone", [])("") === true,
  };
};
