import type { IncomingMessage } from "node:http";

const LARGEST_BODY = 64 * 1_024;

/** @throws SyntaxError when the body is no JSON, or longer than the page ever sends. */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_BODY) throw new SyntaxError("The body is too long");
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
};
