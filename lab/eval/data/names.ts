export const FIRST = [
  ...["Aline", "André", "Beatriz", "Bruna", "Camila", "Carlos", "Cecília", "Daniel", "Débora", "Diego"],
  ...["Eduardo", "Elisa", "Fábio", "Fernanda", "Gabriel", "Giovana", "Gustavo", "Helena", "Hugo", "Igor"],
  ...["Isabela", "Jorge", "Joana", "Karina", "Leandro", "Letícia", "Lucas", "Luíza", "Márcio", "Mariana"],
  ...[
    "Mateus",
    "Natália",
    "Nelson",
    "Patrícia",
    "Paulo",
    "Priscila",
    "Rafael",
    "Raquel",
    "Ricardo",
    "Roberta",
  ],
  ...["Samuel", "Sílvia", "Tatiana", "Thiago", "Valéria", "Vítor", "Wagner", "Yasmin"],
] as const;

export const LAST = [
  ...["Abreu", "Almeida", "Amorim", "Araújo", "Barbosa", "Barros", "Batista", "Cardoso", "Castro", "Coelho"],
  ...["Correia", "Costa", "Dias", "Esteves", "Farias", "Ferreira", "Freitas", "Galvão", "Gomes", "Guimarães"],
  ...["Leal", "Macedo", "Machado", "Magalhães", "Medeiros", "Melo", "Mendes", "Miranda", "Moraes", "Moreira"],
  ...["Neves", "Nogueira", "Novaes", "Pacheco", "Peixoto", "Pereira", "Pinto", "Queiroz", "Ramos", "Rezende"],
  ...["Ribeiro", "Rocha", "Sampaio", "Santana", "Siqueira", "Tavares", "Vasconcelos", "Xavier"],
] as const;

const KINDS = [
  ...["Padaria", "Clínica", "Escola", "Oficina", "Farmácia", "Transportes", "Construtora", "Restaurante"],
  ...["Academia", "Papelaria", "Gráfica", "Pousada", "Mercado", "Laboratório", "Estúdio", "Livraria"],
] as const;

const MARKS = [
  ...["Alvorada", "Boa Vista", "Cruzeiro", "Delta", "Esperança", "Florescer", "Girassol", "Ideal", "Jatobá"],
  ...["Lumiar", "Mirante", "Nobre", "Oásis", "Primavera", "Riacho", "Sabiá", "Tropical", "União", "Vitória"],
] as const;

/** Cities with their area codes; the first ones have more leads. */
export const CITIES = [
  ...([
    ["São Paulo", 11],
    ["São Paulo", 11],
    ["São Paulo", 11],
    ["Rio de Janeiro", 21],
  ] as const),
  ...([
    ["Rio de Janeiro", 21],
    ["Belo Horizonte", 31],
    ["Curitiba", 41],
    ["Florianópolis", 48],
  ] as const),
  ...([
    ["Goiânia", 62],
    ["Brasília", 61],
    ["Porto Alegre", 51],
    ["Recife", 81],
  ] as const),
  ...([
    ["Salvador", 71],
    ["Maringá", 44],
    ["Ribeirão Preto", 16],
    ["Vitória", 27],
  ] as const),
] as const;

/** Returns the n-th company; there are a few hundred. */
export const companyOf = (n: number): string =>
  `${KINDS[n % KINDS.length]} ${MARKS[Math.floor(n / KINDS.length) % MARKS.length]}`;

/** Returns a text without accents, as in addresses. */
export const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ".");
