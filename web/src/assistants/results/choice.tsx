import styles from "../parts/parts.module.css";

/** A choice of one of a few, as buttons next to each other. */
export const Choice = ({
  name,
  options,
  chosen,
  onChoose,
}: {
  name: string;
  options: readonly { value: string; label: string }[];
  chosen: string;
  onChoose(value: string): void;
}) => (
  <fieldset className={styles.choice}>
    <legend className="unseen">{name}</legend>
    {options.map(({ value, label }) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {label}
      </button>
    ))}
  </fieldset>
);
