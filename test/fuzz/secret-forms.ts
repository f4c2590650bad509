/** Forms in which a secret may be echoed: raw, JSON-escaped, URL-encoded, base64 or hex. */
export const secretForms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    hex,
    hex.toUpperCase(),
  ];
  return [...new Set(forms)];
};

/** The forms of a secret that occur in a text, also inside JSON strings. */
export const formsIn = (text: string, secret: string): readonly string[] =>
  secretForms(secret)
    .flatMap((form) => [form, JSON.stringify(form).slice(1, -1)])
    .filter((form) => text.includes(form));
