import { UserError, type UserErrorReason } from "#src/shared/errors.ts";

export const mistakeIn = async (
  work: Promise<unknown>,
): Promise<UserErrorReason["kind"] | "none"> => {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof UserError) return error.reason.kind;
    throw error;
  }
};
