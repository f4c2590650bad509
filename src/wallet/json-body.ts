/** The JSON object or array in a body, or undefined for anything else. */
export const jsonBody = (body: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a body says that it is a success; anything else than a boolean says nothing. */
export const successOf = (answer: object): unknown =>
  "success" in answer ? answer.success : undefined;
