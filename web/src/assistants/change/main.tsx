import { mount } from "../host/mount.tsx";
import { Change } from "./change.tsx";

void mount("change", { en: "Change", "pt-BR": "Alteração" }, Change);
