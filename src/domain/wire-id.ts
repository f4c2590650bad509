const WIRE_ID = /^[A-Za-z0-9_-]{3,64}$/;

/**
 * Whether the service may be asked about it: every operation takes such identifiers, of whatever they are. They may
 * also stand in a path, in a custom id and in a value of a menu.
 */
export const isWireId = (text: string): boolean => WIRE_ID.test(text);
