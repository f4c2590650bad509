import type { APIAttachment, APIEmbed } from "discord-api-types/v10";
import type { MessageBody, UploadedFile } from "./message-body.ts";
import type { DiscordState } from "./state.ts";

const downloadPath = (channelId: string, id: string, name: string): string =>
  `/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;

/** Keeps uploaded files where they can be downloaded, and says what Discord says of them. */
export const storeFiles = (
  state: DiscordState,
  channelId: string,
  files: readonly UploadedFile[],
): readonly APIAttachment[] =>
  files.map((file) => {
    const id = state.newId();
    const path = downloadPath(channelId, id, file.name);
    state.files.set(path, { type: file.type, data: file.data });
    const url = `${state.origin}${path}`;
    return {
      id,
      filename: file.name,
      size: file.data.length,
      content_type: file.type,
      url,
      proxy_url: url,
    };
  });

/** The bytes of an attachment, by its id; undefined when there was none. */
export const attachmentData = (state: DiscordState, id: string): Buffer | undefined => {
  for (const [path, { data }] of state.files) if (path.split("/")[3] === id) return data;
  return undefined;
};

/** Which of a message's attachments an edit leaves: all, unless it names them. */
export const keptAttachments = (
  body: MessageBody,
  existing: readonly APIAttachment[],
): readonly APIAttachment[] => {
  const named = body.attachments;
  if (!named) return existing;
  return existing.filter(({ id }) => named.some((entry) => String(entry.id) === id));
};

/** Embeds as Discord keeps them: pictures that point at the message's own attachments get the address of the file. */
export const resolveEmbeds = (
  embeds: readonly APIEmbed[],
  attachments: readonly APIAttachment[],
): readonly APIEmbed[] =>
  embeds.map((embed) => {
    const resolved = { ...embed };
    if (embed.fields !== undefined) {
      resolved.fields = embed.fields.map((field) => ({ inline: false, ...field }));
    }
    for (const kind of ["image", "thumbnail"] as const) {
      const name = /^attachment:\/\/(.+)$/.exec(embed[kind]?.url ?? "")?.[1];
      const url = attachments.find(({ filename }) => filename === name)?.url;
      if (url !== undefined) resolved[kind] = { ...embed[kind], url };
    }
    return resolved;
  });
