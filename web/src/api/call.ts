import type { ApiEndpoint } from "../../../src/contract/all.ts";
import type { AnswerOf, BodyOf, EndpointMethod, QueryOf } from "../../../src/contract/basics/endpoint.ts";

export type Method = EndpointMethod;

type With<M extends Method> = Extract<ApiEndpoint, { method: M }>;
type Answers<M extends Method> = { [E in With<M> as PathIn<E["url"]>]: AnswerOf<E> };
type Bodies<M extends Method> = { [E in With<M> as PathIn<E["url"]>]: Whole<BodyOf<E>> };
type Inputs<M extends Method> = {
  [E in With<M> as PathIn<E["url"]>]: Params<Names<E["url"]>> & Query<QueryOf<E>>;
};

type PathIn<Url> = Url extends `/api${infer P extends `/v1/${string}`}` ? P : never;

type Names<Url> = Url extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

type Params<Name extends string> = [Name] extends [never]
  ? { params?: never }
  : { params: Record<Name, string> };

/** A value to send; lists need not be mutable. */
type Given<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** A body to send. */
type Whole<B> = B extends object ? { [Name in keyof B]: Given<B[Name]> } : B;

/** Query parameters; those that are null or undefined are not sent. */
type Query<Q> = [keyof Q] extends [never]
  ? { query?: never }
  : Record<never, never> extends Q
    ? { query?: { [Name in keyof Q]: Given<Q[Name]> | null | undefined } }
    : { query: { [Name in keyof Q]: Given<Q[Name]> | null | undefined } };

type At<Calls, P> = P extends keyof Calls ? Calls[P] : never;

/** The path of an endpoint below /api, its parameters in braces: `/v1/leads/{id}`. */
export type Path<M extends Method> = keyof Answers<M>;

/** The JSON that an endpoint answers; undefined if it answers none. */
export type Answer<M extends Method, P extends Path<M>> = Answers<M>[P];

/** The JSON body that an endpoint takes; undefined if it takes none. */
export type Body<M extends Method, P extends Path<M>> = At<Bodies<M>, P>;

/** The parameters of an endpoint, in its path and query. */
export type Input<M extends Method, P extends Path<M>> = At<Inputs<M>, P>;

/** The paths of lists that are read page by page. */
export type ListPath = {
  [P in Path<"GET">]: Answer<"GET", P> extends { next_cursor: string | null } ? P : never;
}[Path<"GET">];

/** How a call is sent. */
interface How {
  signal?: AbortSignal | undefined;
  /** The version of a record: the change is refused with 412 if someone else changed it first. */
  ifMatch?: number;
}

type Optional<T> = Record<never, never> extends T ? [send?: T] : [send: T];

/** Parameters as the last argument of a function. It may be left out if the endpoint requires none. */
export type Ask<M extends Method, P extends Path<M>, More> = Optional<Input<M, P> & More>;

/** The last argument of a call: parameters and body. It may be left out if the endpoint requires none. */
export type Send<M extends Method, P extends Path<M>> = Optional<
  Input<M, P> & How & ([Body<M, P>] extends [undefined] ? { body?: never } : { body: Body<M, P> })
>;
