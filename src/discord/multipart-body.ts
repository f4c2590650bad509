import { createHash } from "node:crypto";
import type { ReplyFile } from "../views/reply.ts";

/** Discord's limits for an application without a boosted guild. Source: its reference, "Uploading Files". */
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1_024 * 1_024;
const LONGEST_NAME = 100;
/** What could end a header or a quoted name, is read differently by different parsers (`%`), or hides in a name. */
const UNSAFE_IN_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/%]/gu;
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/;
const ANY_TYPE = "application/octet-stream";
/** A boundary has 70 characters at most. */
const BOUNDARY_DIGITS = 48;

/** A body that is not JSON, whole: it can be sent again as it is. */
export interface MultipartBody {
  /** With its boundary. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

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
 * `payload` as `payload_json` and each file as `files[n]`, byte for byte. The boundary is a digest of all of it, so that
 * the same body is always the same bytes and nothing in it can be the boundary. Written by hand: undici's `FormData`
 * brings half a megabyte of modules and a random boundary. Source: RFC 7578; Discord's reference, "Uploading Files".
 */
export const multipartBody = (payload: object, files: readonly ReplyFile[]): MultipartBody => {
  const parts = [
    {
      head: headOf('name="payload_json"', "application/json"),
      data: Buffer.from(JSON.stringify(payload)),
    },
    ...files.map((file, n) => ({
      head: headOf(`name="files[${n}]"; filename="${sentName(file)}"`, file.contentType),
      data: file.data,
    })),
  ];
  const digest = createHash("sha256");
  for (const { head, data } of parts) digest.update(head).update(data);
  const boundary = `balcao-${digest.digest("hex").slice(0, BOUNDARY_DIGITS)}`;
  const pieces = parts.flatMap(({ head, data }) => [
    Buffer.from(`--${boundary}\r\n${head}`),
    data,
    Buffer.from("\r\n"),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
};

const headOf = (disposition: string, type: string): string =>
  `Content-Disposition: form-data; ${disposition}\r\n` +
  `Content-Type: ${PLAIN_TYPE.test(type) ? type : ANY_TYPE}\r\n\r\n`;
