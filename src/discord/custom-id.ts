const SEPARATOR = ":";
const LONGEST_CUSTOM_ID = 100;

export const fitsCustomId = (id: string): boolean => id.length <= LONGEST_CUSTOM_ID;

export interface ActionAddress {
  readonly command: string;
  readonly action: string;
  readonly argument: string;
}

/**
 * `command:action:argument`. Buttons, selects and modals carry all their state in it, so that they work after a
 * restart.
 * @throws RangeError beyond Discord's 100 characters.
 */
export const customId = (command: string, action: string, argument = ""): string => {
  const id = [command, action, argument].join(SEPARATOR);
  if (!fitsCustomId(id)) throw new RangeError(`Custom id of ${command}:${action} is too long`);
  return id;
};

/** Undefined when the id has another form than ours. */
export const parseCustomId = (id: string): ActionAddress | undefined => {
  const [command, action, ...argument] = id.split(SEPARATOR);
  if (!command || !action) return undefined;
  return { command, action, argument: argument.join(SEPARATOR) };
};
