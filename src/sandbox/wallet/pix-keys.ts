import { type Answer, ok, type ResourceRequest } from "./resource.ts";
import type { PixKeyType } from "./withdrawals.ts";

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

const SHAPES = [
  ["CPF", /^\d{11}$/],
  ["CNPJ", /^[\dA-Z]{12}\d{2}$/],
  ["EMAIL", /^[^@\s]+@[^@\s]+\.[^@\s]+$/],
  ["PHONE", /^\+55\d{10,11}$/],
  ["EVP", /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
] as const satisfies readonly (readonly [PixKeyType, RegExp])[];

/** The type of a key by its shape, the only check of the sandbox; undefined for any other text. */
export const pixKeyType = (key: string): PixKeyType | undefined =>
  SHAPES.find(([, shape]) => shape.test(key))?.[0];
