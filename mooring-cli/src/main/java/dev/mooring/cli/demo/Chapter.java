package dev.mooring.cli.demo;

/** A part of the story, in steps of which each sends requests and checks the answers. */
abstract class Chapter {
  final Story story;
  final DemoEnvironment environment;
  final Narrator narrator;
  final Kubectl kubectl;

  Chapter(Story story) {
    this.story = story;
    this.environment = story.environment();
    this.narrator = story.narrator();
    this.kubectl = story.kubectl();
  }
}
