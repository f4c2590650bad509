import type { APIEmbed } from "discord-api-types/v10";
import type { MessageBody, UploadedFile } from "../message-body.ts";
import type { BodyPath, Problems } from "./problems.ts";

const MOST_FILES = 10;
const MOST_BYTES = 10 * 1_024 * 1_024;

const picturesOf = (embed: APIEmbed): readonly (readonly [BodyPath, string | undefined])[] => [
  [["image", "url"], embed.image?.url],
  [["thumbnail", "url"], embed.thumbnail?.url],
  [["footer", "icon_url"], embed.footer?.icon_url],
  [["author", "icon_url"], embed.author?.icon_url],
];

/** Files and what the body says of them: each `attachment://name` is there, each new attachment has its part. */
export const checkFiles = (
  body: MessageBody,
  files: readonly UploadedFile[],
  creating: boolean,
  path: BodyPath,
  problems: Problems,
): void => {
  if (files.length > MOST_FILES) {
    const message = `Must be ${MOST_FILES} or fewer in length.`;
    problems.add([...path, "files"], "BASE_TYPE_MAX_LENGTH", message);
  }
  for (const file of files) {
    if (file.index === null) {
      problems.add([...path, file.field], "FILE_FIELD_INVALID", "Files are named files[n]");
    }
    if (file.data.length > MOST_BYTES) {
      const message = `File size exceeds ${MOST_BYTES} bytes`;
      problems.add([...path, file.field], "FILE_SIZE_EXCEEDED", message);
    }
  }
  const attachments = body.attachments ?? [];
  for (const [index, attachment] of attachments.entries()) {
    if (!creating || files.some((file) => file.index === Number(attachment.id))) continue;
    const message = `No file has the id ${attachment.id}`;
    problems.add([...path, "attachments", index, "id"], "ATTACHMENT_NOT_FOUND", message);
  }
  const names = new Set([
    ...files.map((file) => file.name),
    ...attachments.map((attachment) => attachment.filename),
  ]);
  for (const [index, embed] of (body.embeds ?? []).entries()) {
    for (const [place, url] of picturesOf(embed)) {
      const name = /^attachment:\/\/(.+)$/.exec(url ?? "")?.[1];
      if (name === undefined || names.has(name)) continue;
      const at = [...path, "embeds", index, ...place];
      problems.add(at, "ATTACHMENT_NOT_FOUND", `No uploaded file is named ${name}`);
    }
  }
};
