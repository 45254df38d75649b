import type { WordTable } from "./word-table.ts";

export const CZECH: WordTable = {
  name: ["jméno a příjmení; celé jméno; kontaktní osoba"],
  first_name: ["jméno; křestní jméno"],
  last_name: ["příjmení"],
  email: ["e-mailová adresa; elektronická pošta"],
  phone: ["telefon; telefonní číslo; mobil; mobilní telefon; telefon do práce"],
  company: ["firma; společnost; název firmy; organizace"],
  job_title: ["pozice; funkce; pracovní pozice"],
  website: ["webová stránka; webové stránky"],
  city: ["město; obec"],
  country: ["země; stát"],
  language: ["jazyk"],
  status: ["stav"],
  value: ["hodnota; částka"],
  currency: ["měna"],
  tags: ["štítky; kategorie"],
  note: ["poznámka; poznámky; komentář; zpráva; popis"],
  source: ["zdroj"],
  created_at: ["datum vytvoření; vytvořeno"],
};

export const KOREAN: WordTable = {
  name: ["이름; 성명; 고객명; 담당자; 담당자명; 성함"],
  email: ["이메일; 이메일 주소; 전자우편; 메일"],
  phone: ["전화; 전화번호; 연락처; 휴대폰; 휴대전화; 휴대폰 번호; 핸드폰; 핸드폰 번호"],
  company: ["회사; 회사명; 업체명; 기업명; 소속"],
  job_title: ["직책; 직위; 직급"],
  website: ["홈페이지; 웹사이트"],
  city: ["도시; 시"],
  country: ["국가; 나라"],
  status: ["상태"],
  value: ["금액"],
  tags: ["태그"],
  note: ["메모; 비고; 참고; 문의 내용; 내용"],
  source: ["출처; 유입 경로"],
  created_at: ["등록일; 생성일; 작성일"],
};
