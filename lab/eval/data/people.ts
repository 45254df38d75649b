/** The people whom jobs name, where several files need the same list. */

/** Opened an e-mail this week and were never called. */
export const OPENERS = [
  ...["Adriana Bastos", "Alex Furtado", "Bianca Torres", "Caetano Reis", "Clara Meireles", "Davi Pontes"],
  ...["Edna Carvalhal", "Enzo Bittencourt", "Flora Seixas", "Gilberto Maia", "Heitor Salgado", "Ingrid Paes"],
  ...["Jairo Toledo", "Lívia Bragança", "Manuela Porto", "Murilo Serpa", "Olga Fontes", "Pedro Valadares"],
  ...["Quésia Ramalho", "Rebeca Lobo", "Sandro Vidal", "Telma Quintana", "Ulisses Braga"],
] as const;

/** Opened it too, and were called. */
export const CALLED_OPENERS = [
  ...["Abel Corrêa", "Benedita Lira", "Cauã Prestes", "Dalva Ximenes", "Elton Boaventura", "Fátima Goulart"],
  ...["Geraldo Penha", "Hilda Sarmento", "Ícaro Vilela", "Josefa Antunes", "Kleber Assunção", "Lara Teodoro"],
] as const;

/** Opened one weeks ago. */
export const FORMER_OPENERS = ["Milton Caldas", "Nair Vergueiro", "Otto Falcão", "Pilar Arruda"] as const;

/** Called us this week, nobody answered, and nobody called back. */
export const MISSED = [
  ...["Aparecida Lins Prado", "Breno Catarino", "Cíntia Malta", "Dirceu Holanda", "Eunice Bandeira"],
  "Firmino Rabelo",
] as const;

/** The same, but somebody called back. */
export const CALLED_BACK = [
  "Glauco Mesquita",
  "Hortência Pimentel",
  "Irineu Saldanha",
  "Jussara Monte",
] as const;

/** Took part in a webinar: a note and a status for each. */
export const TWELVE = [
  ...["Alice Brandt", "Bento Figueira", "Celina Duque", "Dante Moura", "Estela Viegas", "Félix Andrade"],
  ...["Graça Lamego", "Homero Pires", "Iolanda Sá", "Jonas Lacerda", "Kátia Veloso", "Lauro Bezerra"],
] as const;

/** Work at Porto Azul; Vera changed their status yesterday by mistake. */
export const PORTO_AZUL = [
  ...["Amélia Rios", "Baltazar Nunes", "Catarina Leme", "Donato Freire", "Elvira Sena", "Fausto Aguiar"],
  ...["Gilda Matos", "Horácio Pena", "Inácio Borba"],
] as const;

/** Vera corrected their telephone numbers ten days ago. */
export const CORRECTED = ["Rita Bento", "Saulo Viana", "Tereza Luz"] as const;

/** Work at Serra Verde; Caio took them over yesterday. */
export const TAKEN_OVER = ["Ubirajara Castanho", "Vilma Portela", "Wilson Trigo", "Zilda Mourão"] as const;

/** Marina deleted them two days ago; the first two work at Construtora Horizonte. */
export const DELETED = ["Nádia Prates", "Ivo Lessa", "Ramiro Pinho", "Sueli Dantas", "Tobias Krug"] as const;

/** Test leads, tagged teste. */
export const TESTS = ["Um", "Dois", "Três", "Quatro", "Cinco", "Seis", "Sete"].map((n) => `Teste ${n}`);

/** Had three visits or more. */
export const VISITED = ["Anselmo Rocha", "Berenice Castilho", "Cleide Morgado", "Décio Lobato"] as const;

/** Had one visit or two. */
export const VISITED_LESS = ["Elói Santiago", "Frida Menezes", "Gastão Lemes", "Hebe Coutinho"] as const;

/** In Manaus; none of them is in status Proposta. */
export const MANAUS = [
  ...[
    "Acácio Bueno",
    "Brígida Salomão",
    "Celso Tapajós",
    "Dora Amazonas",
    "Eurico Negro",
    "Fabíola Solimões",
  ],
  ...["Gerson Japurá", "Helga Purus", "Isidoro Juruá", "Janete Madeira", "Lindomar Xingu", "Márcia Tefé"],
  ...["Norberto Coari", "Odete Parintins"],
] as const;

/** Known already; they are on a pasted list of ten. */
export const KNOWN = ["Plínio Marçal", "Rosana Godoy", "Saturnino Vaz"] as const;

/** Important customers, tagged vip. */
export const VIPS = ["Alberto Dumont", "Cora Sant'Anna", "Elza Monteiro", "Getúlio Varela"] as const;

/** Qualified leads in Goiânia without an owner. */
export const UNOWNED = [
  "Abílio Rincón",
  "Benta Caldeira",
  "Cosme Valadão",
  "Dulce Paranhos",
  "Estevão Goiás",
] as const;
