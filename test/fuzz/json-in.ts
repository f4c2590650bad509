/** The JSON object or array in a body, or undefined for anything else. */
export const jsonIn = (body: Buffer): object | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8").replace(/^\ufeff/, ""));
    return value instanceof Object ? value : undefined;
  } catch {
    return undefined;
  }
};
