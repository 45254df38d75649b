import { mount } from "../host/mount.tsx";
import { Results } from "./results.tsx";

void mount("results", { en: "Results", "pt-BR": "Resultados" }, Results);
