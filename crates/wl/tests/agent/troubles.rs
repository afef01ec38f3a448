//! What services do to their clients: too busy, broken off, silent, gone, unwilling. Each is played once for real.

use crate::{KEY, Service, Step, Turn, at, json, no_key, place, plays, run};
use std::net::TcpListener;

fn status(code: u16, kind: &str) -> Step {
    Step::Status(
        code,
        Vec::new(),
        json!({"type": "error", "error": {"type": kind, "message": format!("it says {kind} to {KEY}")}}),
    )
}

/// Asks twice: the first time there is trouble, the second time an answer.
fn passes(trouble: Step) -> String {
    let service = Service::playing([trouble, Step::Turn(Turn::says("Here I am."))]);
    let said = plays(&place(), &service, &["--patience", "2s"]);
    assert!(said.out.ends_with("Here I am.\n"), "{}", said.out);
    assert!(said.err.contains("again in"), "{}", said.err);
    let asked = service.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].body, asked[1].body, "the same is asked again");
    said.err
}

#[test]
fn too_many_requests_pass() {
    let body = json!({"error": {"message": "slow down"}});
    let said = passes(Step::Status(429, vec![("Retry-After", "1.2")], body));
    assert!(said.contains("the service answered 429: slow down; again in 1200 ms"), "{said}");
}

#[test]
fn an_overloaded_service_passes() {
    let said = passes(status(529, "overloaded_error"));
    assert!(said.contains("529: it says overloaded_error to [key]"), "{said}");
    passes(status(503, "api_error"));
    passes(Step::Broken(
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    ));
}

#[test]
fn a_stream_that_was_cut_is_asked_for_again() {
    passes(Step::Cut(Turn::says("Here I")));
    // Half a call is no call.
    passes(Step::Cut(Turn::calls("bash", json!({"command": "touch made"}))));
    passes(Step::Raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"type\": \n\n".to_owned(),
    ));
    passes(Step::Raw(String::new()));
}

#[test]
fn a_silent_service_is_not_waited_for() {
    let said = passes(Step::Silence);
    assert!(said.contains("again in"), "{said}");
}

#[test]
fn the_other_service_has_the_same_troubles() {
    let steps = [
        Step::Status(500, Vec::new(), json!({"error": "no"})),
        Step::Cut(Turn::says("Here")),
        Step::Raw("HTTP/1.1 200 OK\r\n\r\ndata: {\"error\": {\"message\": \"overloaded\"}}\n\n".to_owned()),
        Step::Turn(Turn::says("Here I am.")),
    ];
    let service = Service::playing(steps);
    let url = service.url();
    let said = place()
        .run(&["agent", "--provider", "openai", "--model", "m", "--base-url", &url, "-p", "Go"])
        .code(0);
    assert!(said.out.ends_with("Here I am.\n"), "{}", said.out);
    service.ended();
}

/// It gives up after so many tries, and says why.
#[test]
fn tries_are_bounded() {
    let service = Service::playing((0..9).map(|_| status(529, "overloaded_error")));
    let said = run(&place(), &service, &["--retries", "2"]).code(1);
    said.stderr_has("error: the model did not answer: the service answered 529")
        .stderr_has("hint: try again later");
    assert_eq!(service.asked().len(), 3);
}

#[test]
fn what_does_not_pass_is_said_at_once() {
    let cases = [
        (401, "authentication_error", "unauthorized", "look at the key"),
        (403, "permission_error", "unauthorized", "look at the key"),
        (404, "not_found_error", "no_model", "look at --model and --base-url"),
        (400, "invalid_request_error", "rejected", ""),
    ];
    for (code, kind, word, hint) in cases {
        let service = Service::playing((0..9).map(|_| status(code, kind)));
        let url = service.url();
        let failed =
            place().fails(&at(&url, &["-p", "Go"]), 1, word).says(&format!("{code}: it says {kind}"));
        assert!(failed.err.contains(hint), "{}", failed.err);
        assert!(!failed.err.contains(KEY) && !failed.json.to_string().contains(KEY), "{}", failed.err);
        assert_eq!(service.asked().len(), 2, "one request for each run");
    }
}

/// A redirect is no way to get at the key.
#[test]
fn redirects_are_not_followed() {
    let elsewhere = Service::playing([]);
    let target = Box::leak(elsewhere.url().into_boxed_str());
    let service = Service::playing([Step::Status(307, vec![("Location", target)], json!({}))]);
    run(&place(), &service, &["--retries", "0"]).code(1).stderr_has("the service answered 307");
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn nobody_there() {
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port");
    let url = format!("http://{address}");
    let wl = place();
    let failed = wl.fails(&at(&url, &["-p", "Go", "--retries", "0"]), 1, "unreachable");
    failed.hints("look at the network and at --base-url");
    let said = wl.run(&at(&url, &["-p", "Go", "--retries", "1"])).code(1);
    said.stderr_has("again in");
    no_key(&said);
}
