import type {
  APIAllowedMentions,
  APIEmbed,
  APIMessageTopLevelComponent,
} from "discord-api-types/v10";
import { ROLES } from "../world.ts";

/** The fields of a checked message body that the local Discord uses. */
export interface MessageBody {
  readonly content?: string | null;
  readonly embeds?: readonly APIEmbed[] | null;
  readonly components?: readonly APIMessageTopLevelComponent[] | null;
  readonly attachments?:
    | readonly {
        readonly id: string | number;
        readonly filename?: string;
        readonly description?: string;
      }[]
    | null;
  readonly allowed_mentions?: APIAllowedMentions | null;
  readonly flags?: number | null;
  readonly nonce?: string | number | null;
  readonly enforce_nonce?: boolean | null;
}

/** A file of a multipart body. */
export interface UploadedFile {
  readonly field: string;
  /** n of `files[n]`; null for other field names. */
  readonly index: number | null;
  readonly name: string;
  readonly type: string;
  readonly data: Buffer;
}

/** File name in an `attachment://` address; undefined for every other address. */
export const attachmentName = (url: string | undefined): string | undefined =>
  /^attachment:\/\/(.+)$/.exec(url ?? "")?.[1];

interface Mentions {
  readonly mentionedUserIds: readonly string[];
  readonly mentionedRoleIds: readonly string[];
  readonly mentionsEveryone: boolean;
}

const idsIn = (content: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(content.matchAll(pattern), (match) => match[1] ?? "")),
];

const MENTIONABLE: ReadonlySet<string> = new Set(Object.values(ROLES).map(({ id }) => id));

/**
 * The mentions in a message's content that `allowed_mentions` lets notify. Embeds never notify. `mentionsAll`: whether
 * the bot holds Mention Everyone, without which @everyone and other roles than mentionable ones are not notified.
 */
export const mentionsOf = (
  { content, allowed_mentions: allowed }: MessageBody,
  mentionsAll: boolean,
): Mentions => {
  const said = content ?? "";
  const may = (kind: string, ids: readonly string[] | undefined) => (id: string) =>
    !allowed ||
    (allowed.parse as readonly string[] | undefined)?.includes(kind) ||
    ids?.includes(id);
  return {
    mentionedUserIds: idsIn(said, /<@!?(\d+)>/g).filter(may("users", allowed?.users)),
    mentionedRoleIds: idsIn(said, /<@&(\d+)>/g)
      .filter((id) => mentionsAll || MENTIONABLE.has(id))
      .filter(may("roles", allowed?.roles)),
    mentionsEveryone:
      mentionsAll && /@(everyone|here)/.test(said) && may("everyone", [])("") === true,
  };
};
