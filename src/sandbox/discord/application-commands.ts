import { APPLICATION } from "../world.ts";
import type { CommandDefinition } from "./application-registry.ts";
import { renderCommand } from "./application-registry.ts";
import type { Call, Handle } from "./call.ts";
import { param } from "./call.ts";
import { invalidForm, missingAccess } from "./errors.ts";
import { checkCommand, checkCommands } from "./limits/commands.ts";
import { collectProblems } from "./limits/problems.ts";

const requireOwn = (call: Call): void => {
  if (param(call, "id") !== APPLICATION.id) throw missingAccess();
};

export const listCommands: Handle = (call, { state }) => {
  requireOwn(call);
  const localized = call.query.get("with_localizations") === "true";
  const commands = [...state.commands.values()];
  return { status: 200, body: commands.map((command) => renderCommand(command, localized)) };
};

export const putCommands: Handle = (call, { registry }) => {
  requireOwn(call);
  const problems = collectProblems();
  checkCommands(call.body, problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  return { status: 200, body: registry.replaceAll(call.body as CommandDefinition[]) };
};

export const postCommand: Handle = (call, { registry }) => {
  requireOwn(call);
  const problems = collectProblems();
  checkCommand(call.body, [], problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const { command, created } = registry.put(call.body as CommandDefinition);
  return { status: created ? 201 : 200, body: command };
};

export const deleteCommand: Handle = (call, { registry }) => {
  requireOwn(call);
  registry.remove(param(call, "command"));
  return { status: 204 };
};
