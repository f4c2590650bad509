import type { PagePerson } from "../page-view.ts";
import { demoTextsIn } from "./demo-texts.ts";
import type { DemoTexts } from "./demo-texts.ts";
import { byId, element } from "./element.ts";
import { createKeyedChildren } from "./keyed-children.ts";
import type { PageStore } from "./page-store.ts";

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
      const texts = demoTextsIn(view.me.locale);
      setPeople(
        view.people.map((person) => {
          const here = person.id === view.me.id;
          const news = !here && store.personHasNews(person.id);
          return {
            key: person.id,
            signature: `${here} ${news} ${view.me.locale}`,
            render: () =>
              personButton(person, { here, news, texts }, () => store.choosePerson(person.id)),
          };
        }),
      );
    },
  };
};

const personButton = (
  person: PagePerson,
  about: { readonly here: boolean; readonly news: boolean; readonly texts: DemoTexts },
  choose: () => void,
): HTMLElement => {
  const { here, news, texts } = about;
  return element(
    "button",
    {
      type: "button",
      class: "person",
      "aria-pressed": here ? "true" : "false",
      onclick: choose,
    },
    element("img", { src: person.avatar, alt: "", width: 28, height: 28 }),
    element(
      "span",
      { class: "person-text" },
      element("strong", {}, person.name),
      " ",
      element("small", {}, texts.roles[person.role]),
    ),
    news
      ? element(
          "span",
          { class: "dot" },
          element("span", { class: "visually-hidden" }, texts.hasNews),
        )
      : null,
  );
};
