import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWrongly } from "../faults.ts";
import type { Fault, Faults } from "../faults.ts";
import type { RecordedRequest } from "../recorder.ts";
import type { Answer, Discord } from "./call.ts";
import { ApiError, errorBody, unauthorized } from "./errors.ts";
import type { FoundRoute } from "./find-route.ts";
import { findRoute } from "./find-route.ts";
import type { RateLimits } from "./rate-limits.ts";
import { readBody } from "./request-body.ts";
import type { RequestBody } from "./request-body.ts";
import type { RequestLog } from "./request-log.ts";

export interface RestParts {
  readonly discord: Discord;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly record: ((request: RecordedRequest) => void) | undefined;
}

/** What is sent back when nothing breaks it. */
interface Outgoing {
  readonly status: number;
  readonly code?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const refused = (error: ApiError): Outgoing => ({
  status: error.status,
  code: error.code,
  headers: error.headers,
  body: errorBody(error),
});

const POST_MESSAGE = "/channels/{id}/messages";

/** Lets the request in, does what it asks, and says what Discord would answer. */
const perform = (
  { discord, limits }: RestParts,
  { route, params }: FoundRoute,
  authorization: string | undefined,
  url: URL,
  body: RequestBody,
): Outgoing => {
  let headers = {};
  if (route.access === "bot") {
    if (authorization !== `Bot ${discord.state.token}`) throw unauthorized();
    limits.spend();
    if (route.method === "POST" && route.path === POST_MESSAGE) {
      headers = limits.spendPost(params["id"] ?? "");
    }
  }
  const call = { params, query: url.searchParams, body: body.json, files: body.files };
  try {
    const answer: Answer = route.handle(call, discord);
    return { status: answer.status, headers, body: answer.body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...refused(error), headers: { ...headers, ...error.headers } };
  }
};

const send = (response: ServerResponse, discord: Discord, outgoing: Outgoing): void => {
  const date = new Date(discord.state.clock.now().epochMilliseconds).toUTCString();
  const headers: Record<string, string> = { date, ...outgoing.headers };
  if (outgoing.body === undefined) {
    response.writeHead(outgoing.status, headers).end();
    return;
  }
  headers["content-type"] = "application/json";
  response.writeHead(outgoing.status, headers).end(JSON.stringify(outgoing.body));
};

const wrongStatus = (fault: Fault): number | undefined => {
  if (fault.kind === "status") return fault.status;
  if (fault.kind === "html") return fault.status ?? 200;
  return fault.kind === "broken_json" ? 200 : undefined;
};

/** One request, from its first byte to its answer or to the fault that takes the answer's place. */
export const answerRest = async (
  request: IncomingMessage,
  response: ServerResponse,
  parts: RestParts,
): Promise<void> => {
  const { discord, faults, log, record } = parts;
  const method = request.method ?? "GET";
  const path = request.url ?? "/";
  const url = new URL(path, "http://localhost");
  let name = `${method} ${url.pathname}`;
  let body: RequestBody = { json: null, files: [] };
  let fault: Fault | undefined;
  let outgoing: Outgoing | undefined;
  try {
    body = await readBody(request);
    const found = findRoute(method, url.pathname);
    name = `${method} ${found.route.path}`;
    fault = faults.next(name);
    if (fault?.at !== "before") {
      outgoing = perform(parts, found, request.headers.authorization, url, body);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    outgoing = refused(error);
  }
  const recorded: RecordedRequest = {
    method,
    path,
    body: body.json,
    files: body.files.map(({ field, index, name: file, type, data }) => ({
      field,
      index,
      name: file,
      size: data.length,
      type,
    })),
  };
  record?.(recorded);
  log.add({
    ...recorded,
    route: name,
    status: fault === undefined ? outgoing?.status : wrongStatus(fault),
    code: fault === undefined ? outgoing?.code : undefined,
    faulty: fault !== undefined,
    at: discord.state.clock.now(),
  });
  if (fault !== undefined) answerWrongly(fault, response);
  else if (outgoing !== undefined) send(response, discord, outgoing);
};
