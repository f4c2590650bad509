import { ok, type Answer } from "./answer.ts";
import { pixKeyType } from "./pix-key-type.ts";
import type { ResourceRequest } from "./resource.ts";

/** `POST /v1/pix/validate`: named by the document, not described. Source: service.md 4.7. */
export const validatePixKey = ({ body }: ResourceRequest): Answer => {
  const { pixKey } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const type = typeof pixKey === "string" ? pixKeyType(pixKey) : undefined;
  if (type === undefined) return ok({ valid: false, message: "Chave PIX não encontrada." });
  return ok({
    valid: true,
    pixKey,
    pixKeyType: type,
    ownerName: "Titular do sandbox",
    bankName: "Cooperativa Serra Clara",
  });
};
