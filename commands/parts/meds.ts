import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import type { ActionInput } from "#src/discord/command.ts";
import { type DisputeFilter, disputeFilters, type DisputeRef } from "#src/domain/dispute-list.ts";
import { isWireId } from "#src/domain/ids.ts";
import { UserError } from "#src/shared/errors.ts";
import { textsFor } from "#src/texts/texts.ts";
import { option } from "./definition.ts";

const LONGEST_ID = 100;
const REF = /^([A-Za-z0-9_-]{1,64})\.(.*)$/;
const PAGE = /^([a-z]+)\.(\d{1,4})$/;

const stateChoice = (value: DisputeFilter) => {
  const english = textsFor("en-US").disputes.filters[value];
  const name_localizations = { "en-US": english, "en-GB": english };
  return { name: textsFor("pt-BR").disputes.filters[value], name_localizations, value };
};

export const medsOptions: APIApplicationCommandBasicOption[] = [
  {
    ...option("string", "infracao", ({ meds }) => meds.infracao),
    autocomplete: true,
    max_length: LONGEST_ID,
  },
  {
    ...option("string", "estado", ({ meds }) => meds.estado),
    choices: disputeFilters.map(stateChoice),
  },
];

/** A page of the list, from 0, under a filter. */
export interface WantedPage {
  readonly filter: DisputeFilter;
  readonly page: number;
}

const outdated = (): never => {
  throw new UserError({ kind: "outdated_component" });
};

export const filterOf = (value: string | undefined): DisputeFilter | undefined =>
  disputeFilters.find((each) => each === value);

/** @throws UserError outdated_component */
export const chosenFilter = ({ values: [value] }: ActionInput): WantedPage => ({
  filter: filterOf(value) ?? outdated(),
  page: 0,
});

/** @throws UserError outdated_component */
export const pageOf = ({ argument }: ActionInput): WantedPage => {
  const [, filter, page] = PAGE.exec(argument) ?? [];
  return { filter: filterOf(filter) ?? outdated(), page: Number(page) };
};

/** @throws UserError outdated_component */
export const chosenId = ({ values: [id] }: ActionInput): string =>
  id !== undefined && isWireId(id) ? id : outdated();

/** @throws UserError outdated_component */
export const refOf = ({ argument }: ActionInput): DisputeRef => {
  const [, accountId, infractionId = ""] = REF.exec(argument) ?? [];
  return accountId !== undefined && isWireId(infractionId)
    ? { accountId, infractionId }
    : outdated();
};
