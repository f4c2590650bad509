import type { Check } from "./checks.ts";
import { among, both, flag, isRecord, shape, snowflake, uniqueList } from "./checks.ts";

const exclusive: Check = (value, path, problems) => {
  if (!isRecord(value) || !Array.isArray(value["parse"])) return;
  for (const kind of ["users", "roles"]) {
    const named = value[kind];
    if (!value["parse"].includes(kind) || !Array.isArray(named) || named.length === 0) continue;
    problems.add(
      [...path, "parse"],
      "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
      `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    );
  }
};

/** `allowed_mentions` of a message: a kind is allowed as a whole or id by id, never both. */
export const allowedMentions = both(
  shape({
    parse: uniqueList(among(["users", "roles", "everyone"]), 0, 3),
    users: uniqueList(snowflake, 0, 100),
    roles: uniqueList(snowflake, 0, 100),
    replied_user: flag,
  }),
  exclusive,
);
