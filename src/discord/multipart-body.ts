import type { FormData } from "undici";
import { emptyForm } from "../shared/http-request.ts";
import type { ReplyFile } from "../views/reply.ts";

/** Discord's limits for an application without a boosted guild. Source: its reference, "Uploading Files". */
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1_024 * 1_024;
const LONGEST_NAME = 100;
/** What could end a header or a quoted name, is read differently by different parsers (`%`), or hides in a name. */
const UNSAFE_IN_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/%]/gu;

/** The name under which a file is sent: on one line, without quotes and paths, its last 100 characters at most. */
export const sentName = ({ name }: ReplyFile): string => {
  const clean = Array.from(name.toWellFormed().replace(UNSAFE_IN_NAME, "_").trim());
  return clean.slice(-LONGEST_NAME).join("") || "_";
};

/** Whether Discord would take so many files of this size together. */
export const fitsUpload = (files: readonly ReplyFile[]): boolean =>
  files.length <= MOST_FILES && sizeOf(files) <= MOST_BYTES;

/** Bytes of all files. */
export const sizeOf = (files: readonly ReplyFile[]): number =>
  files.reduce((sum, { data }) => sum + data.byteLength, 0);

/**
 * `payload` as `payload_json` and each file as `files[n]`, byte for byte. It can be sent again as it is. Source: Discord's
 * reference, "Uploading Files".
 */
export const formOf = (payload: object, files: readonly ReplyFile[]): FormData => {
  const form = emptyForm();
  form.append("payload_json", JSON.stringify(payload));
  for (const [n, file] of files.entries())
    form.append(
      `files[${n}]`,
      new Blob([new Uint8Array(file.data)], { type: file.contentType }),
      sentName(file),
    );
  return form;
};
