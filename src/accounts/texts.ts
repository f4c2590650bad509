import { notices as enNotices } from "./notices.en-US.ts";
import { notices as ptNotices } from "./notices.pt-BR.ts";
import * as en from "./texts.en-US.ts";
import * as pt from "./texts.pt-BR.ts";
import { withUiTexts } from "../ui/texts.ts";

export const accountTexts = withUiTexts(
  { ...pt, notices: ptNotices },
  { ...en, notices: enNotices },
);

export type AccountTexts = ReturnType<typeof accountTexts>;
