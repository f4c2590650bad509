import type { ActionInput, Invocation } from "#src/discord/command.ts";
import { UserError } from "#src/shared/errors.ts";
import { isWireId } from "#src/shared/ids.ts";

/** Refuses a component that this version of the command never makes. @throws UserError outdated_component */
export const outdated = (): never => {
  throw new UserError({ kind: "outdated_component" });
};

/** An identifier of the service, or an operation's code. @throws UserError outdated_component */
export const wireIdOf = (id: string | undefined): string =>
  id !== undefined && isWireId(id) ? id : outdated();

/** Reads the input of a handler only after `check`, which throws for whom it refuses. */
export const after =
  <Source, Input>(
    check: (source: NoInfer<Source>, invocation: Invocation) => void,
    read: (source: Source, invocation: Invocation) => Input,
  ) =>
  (source: Source, invocation: Invocation): Input => {
    check(source, invocation);
    return read(source, invocation);
  };

/** Lets only the person for whom a button was made use it. @throws UserError not_your_button */
export const ownButton = ({ argument }: ActionInput, { userId }: Invocation): void => {
  if (argument !== userId) throw new UserError({ kind: "not_your_button" });
};
