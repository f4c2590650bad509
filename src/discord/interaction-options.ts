import type { ChosenChannel, ChosenUser, OptionReader } from "./command-kit.ts";
import { fieldsOf, itemsOf, numberOf, permissionsOf, textOf, type WireFields } from "./wire.ts";

const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;
const STRING = 3;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const ROLE = 8;

export interface GivenOptions {
  /** Name of the subcommand, with its group's name before it; empty where there is none. */
  readonly subcommand: string;
  readonly given: readonly unknown[];
}

/** Finds the subcommand that was chosen and the options typed for it. */
export const givenOptions = (data: WireFields): GivenOptions => {
  let given = itemsOf(data["options"]);
  let subcommand = "";
  // A group holds one subcommand: two levels are all that Discord has.
  for (let depth = 0; depth < 2; depth++) {
    const first = fieldsOf(given[0]);
    if (first["type"] !== SUBCOMMAND && first["type"] !== SUBCOMMAND_GROUP) break;
    const name = textOf(first["name"]) ?? "";
    subcommand = subcommand === "" ? name : `${subcommand} ${name}`;
    given = itemsOf(first["options"]);
  }
  return { subcommand, given };
};

const chosenUser = (resolved: unknown, id: string): ChosenUser => {
  const user = fieldsOf(fieldsOf(fieldsOf(resolved)["users"])[id]);
  return { id, bot: user["bot"] === true };
};

const chosenChannel = (resolved: unknown, id: string): ChosenChannel => {
  const channel = fieldsOf(fieldsOf(fieldsOf(resolved)["channels"])[id]);
  return {
    id,
    type: numberOf(channel["type"]) ?? -1,
    appPermissions: permissionsOf(channel["app_permissions"]),
  };
};

/** Reads the typed options by name. `resolved` is what Discord tells of chosen users and channels. */
export const optionReader = (given: readonly unknown[], resolved: unknown): OptionReader => {
  const valueOf = (name: string, type: number): unknown => {
    for (const item of given) {
      const option = fieldsOf(item);
      if (option["name"] === name) return option["type"] === type ? option["value"] : undefined;
    }
    return undefined;
  };
  return {
    string: (name) => textOf(valueOf(name, STRING)),
    boolean: (name) => {
      const value = valueOf(name, BOOLEAN);
      return typeof value === "boolean" ? value : undefined;
    },
    user: (name) => {
      const id = textOf(valueOf(name, USER));
      return id === undefined ? undefined : chosenUser(resolved, id);
    },
    role: (name) => textOf(valueOf(name, ROLE)),
    channel: (name) => {
      const id = textOf(valueOf(name, CHANNEL));
      return id === undefined ? undefined : chosenChannel(resolved, id);
    },
  };
};

/** The option that the person is typing in. */
export const focusedOption = (
  given: readonly unknown[],
): { readonly option: string; readonly text: string } => {
  for (const item of given) {
    const option = fieldsOf(item);
    if (option["focused"] !== true) continue;
    const value = option["value"];
    const text = typeof value === "number" ? String(value) : (textOf(value) ?? "");
    return { option: textOf(option["name"]) ?? "", text };
  }
  return { option: "", text: "" };
};
