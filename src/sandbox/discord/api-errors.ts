import type { z } from "zod";
import { nestedErrors, type NestedErrors } from "./limits/checks.ts";

/** An error answer of Discord. Source: Discord's reference, "Opcodes and Status Codes" and its error samples. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: number;
  readonly errors: NestedErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the body, e.g. `retry_after`. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: number,
    message: string,
    extra: {
      readonly errors?: NestedErrors;
      readonly headers?: Readonly<Record<string, string>>;
      readonly fields?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.fields = extra.fields ?? {};
  }
}

export const errorBody = (error: ApiError): object => ({
  message: error.message,
  code: error.code,
  ...(error.errors === undefined ? {} : { errors: error.errors }),
  ...error.fields,
});

export const unauthorized = (): ApiError => new ApiError(401, 0, "401: Unauthorized");
export const notFound = (): ApiError => new ApiError(404, 0, "404: Not Found");
export const notServed = (method: string, path: string): ApiError =>
  new ApiError(404, 0, `The local Discord does not serve ${method} ${path}`);
export const unknownChannel = (): ApiError => new ApiError(404, 10003, "Unknown Channel");
export const unknownGuild = (): ApiError => new ApiError(404, 10004, "Unknown Guild");
export const unknownMember = (): ApiError => new ApiError(404, 10007, "Unknown Member");
export const unknownMessage = (): ApiError => new ApiError(404, 10008, "Unknown Message");
export const unknownUser = (): ApiError => new ApiError(404, 10013, "Unknown User");
export const unknownWebhook = (): ApiError => new ApiError(404, 10015, "Unknown Webhook");
export const unknownInteraction = (): ApiError => new ApiError(404, 10062, "Unknown interaction");
export const tooManyCommandCreates = (): ApiError =>
  new ApiError(
    429,
    30034,
    "Max number of daily application command creates has been reached (200)",
  );
export const tooLarge = (): ApiError => new ApiError(413, 40005, "Request entity too large");
export const alreadyAcknowledged = (): ApiError =>
  new ApiError(400, 40060, "Interaction has already been acknowledged.");
export const missingAccess = (): ApiError => new ApiError(403, 50001, "Missing Access");
export const notYourMessage = (): ApiError =>
  new ApiError(403, 50005, "Cannot edit a message authored by another user");
export const emptyMessage = (): ApiError =>
  new ApiError(400, 50006, "Cannot send an empty message");
export const unreachablePerson = (): ApiError =>
  new ApiError(403, 50007, "Cannot send messages to this user");
export const noMutualGuilds = (): ApiError =>
  new ApiError(403, 50278, "Cannot send messages to this user due to having no mutual guilds");
export const missingPermissions = (): ApiError => new ApiError(403, 50013, "Missing Permissions");
export const invalidWebhookToken = (): ApiError =>
  new ApiError(401, 50027, "Invalid Webhook Token");
export const invalidRecipient = (): ApiError => new ApiError(400, 50033, "Invalid Recipient(s)");
export const invalidJson = (): ApiError =>
  new ApiError(400, 50109, "The request body contains invalid JSON.");

/** The checked value. @throws ApiError 50035 with every problem of a value that the schema refuses. */
export const checked = <Output>(schema: z.ZodType<Output>, value: unknown): Output => {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  throw new ApiError(400, 50035, "Invalid Form Body", { errors: nestedErrors(error) });
};
