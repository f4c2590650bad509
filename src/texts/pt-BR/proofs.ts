/** `Guardar como prova` and `/provas`. */
export const proofs = {
  modalTitle: "Guardar como prova",
  modalLabel: "Txid da venda que esta mensagem prova",
  modalPlaceholder: "Cole o txid, como ele aparece no serviço",

  keptTitle: "Prova guardada",
  keptText:
    "Guardei cifrados o texto, o autor, a hora e os links desta mensagem. Se esta venda tem ou vier a ter um MED, ela entra na sua defesa: em `/meds`, abra o MED e toque em **Preparar defesa**.",
  keptBeforeTitle: "Você já guardou esta mensagem",
  keptBeforeText: "Ela já é prova desta venda, como está abaixo. Nada mais foi guardado.",
  keptLinks:
    "Dos anexos guardo só os links, e o Discord pode tirá-los do ar: salve os arquivos você também.",

  title: "Suas provas",
  none: "Você ainda não guardou nenhuma prova.",
  how: "Abra o menu de uma mensagem, em **Apps**, escolha **Guardar como prova** e diga o txid da venda. Vale qualquer mensagem que mostre a entrega ou o aceite de quem pagou.",
  count: (found: number): string =>
    found === 1 ? "**1 prova guardada.**" : `**${found} provas guardadas.**`,
  page: (page: number, pages: number): string => `Página ${page} de ${pages}.`,
  openPlaceholder: "Abrir uma prova",
  previous: "Anteriores",
  next: "Próximas",
  back: "Ver todas",

  detailTitle: "Prova",
  sale: "Txid da venda",
  author: "Quem escreveu",
  authorText: (name: string, id: string): string => `${name} (id ${id})`,
  writtenAt: "Escrita em",
  editedAt: "Editada em",
  keptAt: "Guardada em",
  text: "Texto",
  noText: "sem texto",
  links: "Anexos",
  noLinks: "nenhum",
  moreLinks: (count: number): string => `e mais ${count}`,
  message: "Mensagem",
  sha256: "SHA-256",
  download: "Baixar minhas provas",
  fileName: "provas",
  fileMadeAt: (at: string): string => `Baixadas em ${at}. Horários de Brasília.`,
  fileText: "Guarde o arquivo: ele tem todas as suas provas. Dos anexos vão só os links.",
  remove: "Apagar esta prova",
  removed: "Prova apagada. A mensagem no Discord continua onde está.",
};
