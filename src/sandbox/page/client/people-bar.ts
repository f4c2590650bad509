import type { PagePerson } from "../page-view.ts";
import { byId, element } from "./element.ts";
import { createKeyedChildren } from "./keyed-children.ts";
import type { PageStore } from "./page-store.ts";

const ROLES = { seller: "vende", admin: "administra" } as const;

/** Who one is, with a dot on those who got a direct message meanwhile; and the language of that person. */
export const createPeopleBar = (store: PageStore): { readonly draw: () => void } => {
  const setPeople = createKeyedChildren(byId("people"));
  const language = byId("language") as HTMLSelectElement;
  language.addEventListener("change", () => {
    void store.ask({ kind: "locale", locale: language.value });
  });

  return {
    draw: () => {
      const view = store.view();
      if (view === undefined) return;
      language.value = view.me.locale;
      setPeople(
        view.people.map((person) => {
          const here = person.id === view.me.id;
          const news = !here && store.personHasNews(person.id);
          return {
            key: person.id,
            signature: `${here} ${news}`,
            render: () => personButton(person, here, news, () => store.choosePerson(person.id)),
          };
        }),
      );
    },
  };
};

const personButton = (
  person: PagePerson,
  here: boolean,
  news: boolean,
  choose: () => void,
): HTMLElement =>
  element(
    "button",
    {
      type: "button",
      class: "person",
      "aria-pressed": here ? "true" : "false",
      "aria-label": `Ser ${person.name}, que ${ROLES[person.role]}${news ? ": há mensagem nova" : ""}`,
      onclick: choose,
    },
    element("img", { src: person.avatar, alt: "", width: 28, height: 28 }),
    element(
      "span",
      { class: "person-text" },
      element("strong", {}, person.name),
      element("small", {}, ROLES[person.role]),
    ),
    news ? element("span", { class: "dot" }) : null,
  );
