import type { IncomingMessage } from "node:http";
import { invalidJson, tooLarge } from "./errors.ts";
import type { UploadedFile } from "./message-body.ts";

const MOST_BYTES = 25 * 1_024 * 1_024;

export interface RequestBody {
  /** Null when there is none. */
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

const NOTHING: RequestBody = { json: null, files: [] };

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) throw tooLarge();
    parts.push(part);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
};

const parseMultipart = async (bytes: Buffer, type: string): Promise<RequestBody> => {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": type },
  }).formData();
  const files: UploadedFile[] = [];
  const fields: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string") {
      fields[field] = value;
      continue;
    }
    const data = Buffer.from(await value.arrayBuffer());
    const index = /^files\[(\d+)\]$/.exec(field)?.[1];
    files.push({
      field,
      index: index === undefined ? null : Number(index),
      name: value.name,
      type: value.type,
      data,
    });
  }
  const { payload_json: payload, ...rest } = fields;
  return { json: payload === undefined ? rest : parseJson(payload), files };
};

/** The body of a request: JSON, or multipart with `payload_json`. @throws ApiError 40005, 50109. */
export const readBody = async (request: IncomingMessage): Promise<RequestBody> => {
  const bytes = await bytesOf(request);
  if (bytes.length === 0) return NOTHING;
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) {
    return { json: parseJson(bytes.toString("utf8")), files: [] };
  }
  try {
    return await parseMultipart(bytes, type);
  } catch {
    throw invalidJson();
  }
};
