import type { OutlookLanguage } from "./outlook-language.ts";

const POLISH: OutlookLanguage = {
  first_name: ["Imię"],
  last_name: ["Nazwisko"],
  company: ["Firma"],
  job_title: ["Stanowisko"],
  email: ["Adres e-mail"],
  emails: ["Adres e-mail 2", "Adres e-mail 3"],
  phone: ["Telefon komórkowy"],
  phones: [
    ...["Telefon służbowy", "Telefon służbowy 2", "Telefon domowy", "Telefon domowy 2"],
    ...["Telefon podstawowy", "Inny telefon"],
  ],
  city: ["Adres służbowy - miejscowość", "Adres domowy - miejscowość"],
  state: ["Adres służbowy - województwo", "Adres domowy - województwo"],
  country: ["Adres służbowy - kraj/region", "Adres domowy - kraj/region"],
  website: ["Strona sieci Web"],
  tags: ["Kategorie"],
  note: ["Notatki"],
};

const TURKISH: OutlookLanguage = {
  first_name: ["İlk Adı"],
  last_name: ["Soyadı"],
  company: ["Şirket"],
  job_title: ["İş Unvanı"],
  email: ["Elektronik Posta Adresi"],
  emails: ["Elektronik Posta 2 Adres", "Elektronik Posta 3 Adres"],
  phone: ["Cep Telefonu"],
  phones: [
    ...["İş Telefon No", "İş Telefonu 2", "Ev Telefonu", "Ev Telefonu 2", "Birincil Telefon"],
    ...["Diğer Telefon No"],
  ],
  city: ["İş-Şehir", "Ev-Şehir"],
  state: ["İş-Bölge", "Ev-Bölge"],
  country: ["İş-Ülke/Bölge", "Ev-Ülke/Bölge"],
  website: ["Web Sayfası"],
  tags: ["Kategoriler"],
  note: ["Notlar"],
};

const RUSSIAN: OutlookLanguage = {
  first_name: [],
  last_name: ["Фамилия"],
  company: ["Организация"],
  job_title: ["Должность"],
  email: ["Адрес эл. почты"],
  emails: ["Адрес 2 эл. почты", "Адрес 3 эл. почты"],
  phone: ["Телефон переносной"],
  phones: [
    ...["Рабочий телефон", "Телефон раб. 2", "Домашний телефон", "Телефон дом. 2"],
    ...["Основной телефон", "Другой телефон"],
  ],
  city: ["Город (раб. адрес)", "Город (дом. адрес)"],
  state: ["Область (раб. адрес)", "Область (дом. адрес)"],
  country: ["Страна или регион (раб. адрес)", "Страна или регион (дом. адрес)"],
  website: ["Веб-страница"],
  tags: ["Категории"],
  note: ["Заметки"],
};

const JAPANESE: OutlookLanguage = {
  first_name: ["名"],
  last_name: ["姓"],
  company: ["会社名"],
  job_title: ["役職"],
  email: ["電子メール アドレス"],
  emails: ["電子メール 2 アドレス", "電子メール 3 アドレス"],
  phone: ["携帯電話"],
  phones: ["会社電話", "会社電話 2", "自宅電話", "自宅電話 2", "通常の電話", "その他の電話"],
  city: ["市町村 (会社)", "市町村 (自宅)"],
  state: ["都道府県 (会社)", "都道府県 (自宅)"],
  country: ["国 (会社)/地域", "国 (自宅)/地域"],
  website: ["Web ページ"],
  tags: ["分類"],
  note: ["メモ"],
};

const SIMPLIFIED_CHINESE: OutlookLanguage = {
  first_name: ["名"],
  last_name: ["姓"],
  company: ["单位"],
  job_title: ["职务"],
  email: ["电子邮件地址"],
  emails: ["电子邮件 2 地址", "电子邮件 3 地址"],
  phone: ["移动电话"],
  phones: ["商务电话", "商务电话 2", "住宅电话", "住宅电话 2", "主要电话", "其他电话"],
  city: ["商务地址 市/县", "住宅地址 市/县"],
  state: ["商务地址 省/市/自治区", "住宅地址 省/市/自治区"],
  country: ["商务地址 国家/地区", "住宅地址 国家/地区"],
  website: ["网页"],
  tags: ["类别"],
  note: ["附注"],
};

const TRADITIONAL_CHINESE: OutlookLanguage = {
  first_name: [],
  last_name: ["姓氏"],
  company: ["公司"],
  job_title: ["職稱"],
  email: ["電子郵件地址"],
  emails: ["電子郵件 2 地址", "電子郵件 3 地址"],
  phone: ["行動電話"],
  phones: ["商務電話", "商務電話 2", "住家電話", "住家電話 2", "代表電話", "其他電話"],
  city: ["商務 - 市/鎮", "住家 - 市/鎮"],
  state: ["商務 - 縣/市", "住家 - 縣/市"],
  country: ["商務 - 國家/地區", "住家 - 國家/地區"],
  website: ["網頁"],
  tags: ["類別"],
  note: ["記事"],
};

/** Outlook's headers in Polish, Turkish, Russian, Japanese and Chinese (simplified and traditional). */
export const EASTERN: readonly OutlookLanguage[] = [
  POLISH,
  TURKISH,
  RUSSIAN,
  JAPANESE,
  SIMPLIFIED_CHINESE,
  TRADITIONAL_CHINESE,
];
